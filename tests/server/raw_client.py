"""Requests byte by byte, as slow and rude clients send them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
"""A request that was begun."""


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20) as one:
        yield one


def rest(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    received = b""
    while True:
        try:
            part = connection.recv(65536)
        except ConnectionResetError:
            return received
        if not part:
            return received
        received += part


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def problem(answer: bytes) -> Any:
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def posted(path: str, body: bytes, *, length: int | None = None, more: str = "") -> bytes:
    """A request with a body, which may be shorter than it says."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Connection: close\r\nContent-Length: {len(body) if length is None else length}\r\n{more}"
    )
    return head.encode() + b"\r\n" + body


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for something that must happen soon."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)
