"""Clients that hold connections and say nothing, or half of it."""

from __future__ import annotations

import socket
import time
from collections import Counter
from contextlib import ExitStack, suppress

from benchmarks.load.own_server import OwnServer

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
BODY = (
    b"POST /api/v1/corpora/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n"
)


class RudeClients:
    """Half-sent headers, and bodies of which a byte comes now and then."""

    def __init__(self, server: OwnServer) -> None:
        self._server = server
        self._held = ExitStack()
        self._open: list[socket.socket] = []
        self.opened: Counter[str] = Counter()

    def open(self, headers: int, bodies: int) -> None:
        """Open so many of each; those that the server closes are opened again by ``drip``."""
        known = f"Authorization: Bearer {self._server.token}\r\n".encode()
        for kind, count, begin in (
            ("headers", headers, HALF),
            ("bodies without the token", bodies, BODY + b"\r\n"),
            ("bodies with it", bodies // 10, BODY + known + b"\r\n"),
        ):
            for _ in range(count):
                self._connect(kind, begin)

    def drip(self, seconds: float) -> None:
        """Send a byte on each connection, again and again, and open new ones for those closed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            still = []
            for one in self._open:
                try:
                    one.send(b"x")
                    still.append(one)
                except OSError:
                    one.close()
            closed = len(self._open) - len(still)
            self._open = still
            for _ in range(closed):
                self._connect("headers, again", HALF)
            time.sleep(0.5)

    def close(self) -> None:
        """Go away."""
        self._held.close()

    def _connect(self, kind: str, begin: bytes) -> None:
        with suppress(OSError):
            one = socket.create_connection((self._server.host, self._server.port), timeout=5)
            self._held.callback(one.close)
            one.setblocking(False)
            one.send(begin)
            self._open.append(one)
            self.opened[kind] += 1
