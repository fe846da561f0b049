"""A browser for hundreds of people in one process: a connection kept open, and little else."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

TIMEOUT_SECONDS = 60.0


class ServerAway(Exception):  # noqa: N818 - it is what a person sees
    """No answer came; what was sent may have arrived or not."""


class LightBrowser:
    """Asks as a page does, from an address of this person's own."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        # As people have: a server bounds how many connections one address may hold.
        self._own = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._cookie = ""
        self._csrf = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.took = 0.0
        """Seconds until the last answer was there."""

    async def register(self, invitation: str, name: str, password: str) -> None:
        """Make an account, and stay logged in."""
        given = {"invitation": invitation, "name": name, "password": password}
        status, told = await self.call("POST", "register", given)
        assert status == 200, told
        self._csrf = told["csrf"]

    async def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        sent = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} /collect/api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Cookie: {self._cookie}\r\nX-Lacuna-CSRF: {self._csrf}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        )
        begun = time.monotonic()
        is_old = self._streams is not None
        try:
            try:
                answer = await self._answer(head.encode() + sent)
            except (OSError, EOFError):
                if not is_old:
                    raise
                # Servers close connections that nobody used for a while: browsers open another.
                self.close()
                answer = await self._answer(head.encode() + sent)
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            raise ServerAway(str(error)) from error
        self.took = time.monotonic() - begun
        return answer

    async def _answer(self, request: bytes) -> tuple[int, Any]:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            if self._streams is None:
                self._streams = await asyncio.open_connection(
                    "127.0.0.1", self._port, local_addr=(self._own, 0)
                )
            reader, writer = self._streams
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            lines = [line.partition(":") for line in head.split("\r\n")[1:]]
            length = next(int(text) for name, _, text in lines if name.lower() == "content-length")
            told = await reader.readexactly(length)
        for name, _, text in lines:
            if name.lower() == "set-cookie":
                self._cookie = text.strip().partition(";")[0]
        if any(name.lower() == "connection" and "close" in text for name, _, text in lines):
            self.close()
        return int(head.split(" ", 2)[1]), json.loads(told)

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
