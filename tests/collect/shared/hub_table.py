"""A hub with people at it and no network between: the clock is set, and all can be held up."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from quac_site import let_in

from lacuna_collect.live.dialogs import Dialogs
from lacuna_collect.live.hub import LiveConnection, LiveHub
from lacuna_collect.project import CollectProject
from lacuna_collect.tasks.task import LiveTask

TASK = "quac-dialogs"


def dialogs_of(project: CollectProject) -> Dialogs:
    """The dialogs of a project, on its own database."""
    task = project.work.tasks[TASK]
    assert isinstance(task.task, LiveTask)
    return Dialogs(project.database, project.work.tasks, task, task.task)


class Seat:
    """Somebody at the hub, and all that they are told."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.told: list[Any] = []
        self.line = LiveConnection(number, self, 0)

    async def send_text(self, data: str) -> None:
        self.told.append(json.loads(data))

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.told.append({"type": "closed", "code": code, "reason": reason})

    def of(self, kind: str) -> list[Any]:
        return [message for message in self.told if message["type"] == kind]


class HubTable:
    """The hub, its clock and its people."""

    def __init__(self, project: CollectProject) -> None:
        self.project = project
        self.dialogs = dialogs_of(project)
        self.now = 1000.0
        self.hub = LiveHub(self.dialogs, steady=lambda: self.now)

    async def seat(self, name: str, **hello: Any) -> Seat:
        """Let somebody come."""
        seat = Seat(let_in(self.project, name)[2])
        await self.hub.hello(seat.line, {"wait": True, **hello})
        await settle()
        return seat

    async def pair(self, *names: str) -> tuple[Seat, Seat]:
        """Two who have begun: the student and the teacher."""
        one, other = [await self.seat(name) for name in names]
        is_student = one.of("dialog")[0]["role"] == "student"
        return (one, other) if is_student else (other, one)

    async def ask(self, seat: Seat, key: str, after: int) -> None:
        said = {"key": key, "after": after, "text": "When was it begun?"}
        await self.hub.say(seat.line, said)
        await settle()

    async def answer(self, seat: Seat, key: str, after: int) -> None:
        answer = {"kind": "none", "yesno": "x", "followup": "m"}
        await self.hub.say(seat.line, {"key": key, "after": after, "answer": answer})
        await settle()

    @contextmanager
    def slow(self, name: str) -> Iterator[threading.Event]:
        """Hold up one of the things that ``Dialogs`` does, until the event is set."""
        go_on = threading.Event()
        plain = getattr(self.dialogs, name)

        def held_up(*given: Any) -> Any:
            assert go_on.wait(20)
            return plain(*given)

        setattr(self.dialogs, name, held_up)
        yield go_on
        setattr(self.dialogs, name, plain)


async def settle() -> None:
    """Let everything happen that waits for nothing but its turn."""
    for _ in range(20):
        await asyncio.sleep(0)
