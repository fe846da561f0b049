"""Somebody on a real WebSocket, for tests: says things, and remembers all that came."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

TIMEOUT_SECONDS = 20.0


class LivePerson:
    """One connection; ``reconnect`` opens another, as a page does."""

    def __init__(
        self,
        address: str,
        token: str,
        csrf: str,
        road: Callable[[], socket.socket | None] = lambda: None,
    ) -> None:
        self._address = address.replace("http://", "ws://")
        self._port = address.rpartition(":")[2]
        self._token = token
        self._csrf = csrf
        self._road = road
        """Connects by another way than the straight one."""
        self.raw: list[str] = []
        """All that the server has ever sent."""
        self.dialog: int | None = None
        self.role = ""
        self.last = 0
        self.seen: dict[str, Any] = {}
        self.said = 0
        self._stack = ExitStack()
        self.socket: ClientConnection = self._opened()

    def _opened(self, **headers: str) -> ClientConnection:
        cookie = {"Cookie": f"lacuna-collect-{self._port}={self._token}"}
        at = f"{self._address}/collect/api/live/quac-dialogs"
        known = {**cookie, **headers}
        return self._stack.enter_context(
            connect(at, sock=self._road(), additional_headers=known, open_timeout=TIMEOUT_SECONDS)
        )

    def close(self) -> None:
        self._stack.close()

    def hello(self, *, wait: bool = True) -> None:
        self.send(type="hello", csrf=self._csrf, dialog=self.dialog, seen=self.last, wait=wait)

    def reconnect(self, *, wait: bool = False) -> None:
        self.socket.close()
        self.socket = self._opened()
        self.hello(wait=wait)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def get(self, kind: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """The next message of a kind; others are passed over."""
        until = time.monotonic() + TIMEOUT_SECONDS
        while True:
            text = self.socket.recv(timeout=max(until - time.monotonic(), 0.01))
            assert isinstance(text, str)
            self.raw.append(text)
            message = json.loads(text)
            self._note(message)
            if message["type"] == kind and fits(message):
                return message

    def closed(self) -> int:
        """Read on until the server closes; with which code."""
        try:
            while True:
                self.raw.append(str(self.socket.recv(timeout=TIMEOUT_SECONDS)))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def begin(self) -> Any:
        """Wait for a partner."""
        self.hello()
        return self.get("dialog")

    def ask(self, text: str, key: str | None = None, after: int | None = None) -> Any:
        return self._say(key, after, text=text)

    def answer(
        self, words: str | None, key: str | None = None, after: int | None = None, **acts: str
    ) -> Any:
        """Answer with words of the section, or with none; neither yes nor no, if not told so."""
        answer: dict[str, Any] = {"kind": "none", "yesno": "x", "followup": "m", **acts}
        if words is not None:
            start = self.seen["text"].index(words)
            answer |= {"kind": "span", "start": start, "end": start + len(words)}
        return self._say(key, after, answer=answer)

    def _say(self, key: str | None, after: int | None, **body: Any) -> Any:
        self.said += 1
        key = key or f"{self.role}-{self.said}"
        self.send(type="say", key=key, after=self.last if after is None else after, **body)
        return self.get("ack", lambda ack: ack["key"] == key)

    def _note(self, message: Any) -> None:
        if message["type"] == "dialog":
            self.dialog, self.role = message["dialog"], message["role"]
            self.seen, self.last = message["seen"], message["last"]
        elif message["type"] == "event":
            assert message["number"] > self.last - 1, "an event came twice or out of order"
            self.last = message["number"]


Come = Callable[[str], LivePerson]
"""Let somebody of that name come."""


def in_roles(one: LivePerson, other: LivePerson) -> tuple[LivePerson, LivePerson]:
    """The student and the teacher of two who have begun."""
    return (one, other) if one.role == "student" else (other, one)


def exchange(student: LivePerson, teacher: LivePerson, text: str, words: str | None) -> None:
    """One question and its answer, which both have seen."""
    student.ask(text)
    teacher.get("event", lambda event: event["kind"] == "question")
    teacher.answer(words)
    student.get("event", lambda event: event["kind"] == "answer")
