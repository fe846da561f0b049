"""One person's connection: what is sent waits in line, and nobody else waits for a slow reader."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Protocol

from starlette.websockets import WebSocketDisconnect

from lacuna.collect.live.rate_limit import MessageRate
from lacuna.collect.tasks.task import Json

MOST_WAITING = 200
"""Messages that may wait to be sent; who takes none of them has to come back."""
LAST_WORDS = 5.0


class TextSocket(Protocol):
    """What a connection needs of a WebSocket."""

    async def send_text(self, data: str) -> None:
        """Send a message."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close it."""


class LiveConnection:
    """A WebSocket of somebody who is logged in."""

    def __init__(self, person: int, socket: TextSocket, now: float) -> None:
        self.person = person
        self.rate = MessageRate(now)
        self._socket = socket
        self._out: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue()
        self._is_closing = False
        self._writer = asyncio.create_task(self._write())

    def send(self, message: Json) -> None:
        """Send a message, after those before it."""
        if self._is_closing:
            return
        if self._out.qsize() >= MOST_WAITING:
            self.close(1013, "too-slow")
            return
        self._out.put_nowait(json.dumps(message))

    def close(self, code: int, reason: str) -> None:
        """Close it after what waits was sent; nothing more is sent."""
        if not self._is_closing:
            self._is_closing = True
            self._out.put_nowait((code, reason))

    async def ended(self) -> None:
        """Let go of it, once its socket is of no more use."""
        self._is_closing = True
        self._writer.cancel()
        with suppress(asyncio.CancelledError):
            await self._writer

    async def finished(self) -> None:
        """Wait until what was sent before ``close`` is gone."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._writer), LAST_WORDS)

    async def _write(self) -> None:
        with suppress(RuntimeError, OSError, WebSocketDisconnect):  # closed by the other side
            while True:
                message = await self._out.get()
                if isinstance(message, tuple):
                    await self._socket.close(*message)
                    return
                await self._socket.send_text(message)
