"""A scripted person in dialogs: waits, asks or answers, and comes back when the line breaks."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from lacuna.collect.simulate.quac_scripts import answer_anything, ask_anything
from lacuna.collect.tasks.task import Json

AGAIN = 0.5
"""Seconds after which a line that broke is opened again."""


@dataclass(slots=True)
class TalkDiary:
    """What happened to some people in their dialogs."""

    sent_at: dict[tuple[int, int], float] = field(default_factory=dict)
    """When what has become an event (dialog, number) was sent, in the one process of all."""
    delivery_seconds: list[float] = field(default_factory=list)
    """From being sent by one to being there at the other."""
    acknowledged: dict[int, dict[int, str]] = field(default_factory=dict)
    """The questions that the server has acknowledged, by dialog and number."""
    happened: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Talk:
    """Where somebody stands in one dialog."""

    number: int
    role: str
    seen: Json
    last: int
    turn: str
    said: tuple[str, Json] | None = None
    """The key and the message that was not acknowledged yet."""


class ScriptedTalker:
    """One person; ``talk`` holds one dialog after another."""

    def __init__(
        self,
        open_line: Callable[[], Any],
        csrf: str,
        diary: TalkDiary,
        random: Random,
        think: float,
    ) -> None:
        self._open_line = open_line
        self._csrf = csrf
        self._diary = diary
        self._random = random
        self._think = think
        self._talk: _Talk | None = None
        self._sent_at: dict[str, float] = {}
        self._ended = 0

    async def talk(self, dialogs: int, until: float) -> int:
        """Hold so many dialogs, or as many as there is time for; how many ended."""
        self._ended = 0
        while self._ended < dialogs and time.monotonic() < until:
            try:
                async with self._open_line() as line:
                    await self._hold(line, dialogs, until)
            except (OSError, WebSocketException, TimeoutError):
                self._diary.happened["line broke"] += 1
                await asyncio.sleep(AGAIN)
        return self._ended

    async def _hold(self, line: ClientConnection, dialogs: int, until: float) -> None:
        talk = self._talk
        await _send(
            line,
            type="hello",
            csrf=self._csrf,
            dialog=talk.number if talk else None,
            seen=talk.last if talk else 0,
            wait=talk is None,
        )
        while self._ended < dialogs:
            async with asyncio.timeout(max(until - time.monotonic(), 0.01)):
                message = json.loads(await line.recv())
            await self._take(line, message)

    async def _take(self, line: ClientConnection, message: Json) -> None:
        match message["type"]:
            case "dialog":
                await self._begin(line, message)
            case "event":
                self._hear(message)
                await self._say(line)
            case "ack":
                self._note(message)
            case "ended":
                self._ended += 1
                self._talk = None
                self._diary.happened[f"ended by {message['by']}"] += 1
                await _send(line, type="wait")
            case "refused":
                self._diary.happened[f"refused: {message.get('code', 'problems')}"] += 1

    async def _begin(self, line: ClientConnection, message: Json) -> None:
        before = self._talk
        said = before.said if before and before.number == message["dialog"] else None
        self._talk = _Talk(
            message["dialog"],
            message["role"],
            message["seen"],
            message["last"],
            message["turn"],
            said,
        )
        if said is not None:  # it may have arrived or not: the key tells
            await _send(line, **said[1])
        await self._say(line)

    def _hear(self, message: Json) -> None:
        talk = self._talk
        if talk is None or message["dialog"] != talk.number:
            return
        talk.last = message["number"]
        talk.turn = "teacher" if message["kind"] == "question" else "student"
        if message["from"] != talk.role:
            sent = self._diary.sent_at.get((talk.number, talk.last))
            if sent is not None:
                self._diary.delivery_seconds.append(time.monotonic() - sent)

    async def _say(self, line: ClientConnection) -> None:
        talk = self._talk
        if talk is None or talk.turn != talk.role or talk.said is not None:
            return
        if self._think:
            await asyncio.sleep(self._random.expovariate(1 / self._think))
        body: Json = {"text": ask_anything(self._random)}
        if talk.role == "teacher":
            text = talk.seen["text"]
            body = {"answer": answer_anything(text, self._random, follow_up=True)}
        key = f"{self._random.getrandbits(96):024x}"
        talk.said = (key, {"type": "say", "key": key, "after": talk.last, **body})
        # The partner may have it before the acknowledgement is here.
        self._diary.sent_at[talk.number, talk.last + 1] = time.monotonic()
        await _send(line, **talk.said[1])

    def _note(self, message: Json) -> None:
        talk = self._talk
        if talk is not None and talk.said is not None and talk.said[0] == message["key"]:
            if talk.role == "student":
                kept = self._diary.acknowledged.setdefault(talk.number, {})
                kept[message["number"]] = talk.said[1]["text"]
            talk.said = None


def line_to(address: str, cookie: str, own: str | None = None) -> Callable[[], Any]:
    """Opens the line of somebody with a cookie; ``own`` is the address that it comes from."""
    at = f"{address.replace('http://', 'ws://')}/collect/api/live/quac-dialogs"
    more: dict[str, Any] = {"local_addr": (own, 0)} if own else {}
    return lambda: connect(at, additional_headers={"Cookie": cookie}, compression=None, **more)


async def _send(line: ClientConnection, **message: Any) -> None:
    await line.send(json.dumps(message))
