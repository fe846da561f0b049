"""A person at work: asks for a set, saves while thinking, hands in, and keeps every receipt."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.collecting.light_browser import LightBrowser, ServerAway
from lacuna_collect.simulate.scripts import LearnedWork
from lacuna_collect.tasks.task import Json

TASKS = ("iirc-answers", "iirc-questions")
"""What waits to be answered first: otherwise everybody would write."""
AGAIN = 0.5
"""Seconds after which what did not arrive is sent again."""
IDLE = 2.0
Drafts = dict[int, tuple[Json | None, Json | None]]
"""Of work not yet handed in: what was acknowledged last, and what was sent since."""


@dataclass(slots=True)
class HandedIn:
    """Work that the server has acknowledged."""

    receipt: str
    task: str
    work: Json
    is_test: bool
    at: float


@dataclass(slots=True)
class PeopleSeen:
    """What all people saw of the server in one part of a run."""

    handed_in: list[HandedIn] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """How long each kind of request took."""
    happened: Counter[str] = field(default_factory=Counter)


class BusyPerson:
    """Works until it is time to stop; what is on the way is sent until it has arrived."""

    def __init__(
        self,
        browser: LightBrowser,
        knowledge: LearnedWork,
        random: Random,
        *,
        think: float,
        saves: int,
    ) -> None:
        self.browser = browser
        self._knowledge = knowledge
        self._random = random
        self._think = think
        self._saves = saves
        self.seen = PeopleSeen()
        self.drafts: Drafts = {}

    async def live(self, seen: PeopleSeen, goes_on: Callable[[], bool]) -> None:
        """Do set after set; the last one may stay a draft."""
        self.seen = seen
        await asyncio.sleep(self._random.uniform(0, 2 * self._think))
        while goes_on():
            for task in TASKS:
                got = await self._told("next", "POST", f"tasks/{task}/next", {})
                if got is not None and got["assignment"]:
                    await self._do(int(got["assignment"]), goes_on)
                    break
            else:
                self.seen.happened["found nothing to do"] += 1
                await asyncio.sleep(IDLE)

    async def _do(self, assignment: int, goes_on: Callable[[], bool]) -> None:
        begun = time.monotonic()
        shown = await self._told("open", "GET", f"work/{assignment}", None)
        if shown is None:
            return
        work = self._knowledge.work(shown["task"], shown["shown"], self._random, 0)
        version = shown["version"]
        for part in range(self._saves):
            await asyncio.sleep(self._think * self._random.uniform(0.5, 1.5))
            if not goes_on():
                return
            draft = _begun(work, part + 1, self._saves)
            self.drafts[assignment] = (shown["draft"], draft)
            body = {"draft": draft, "version": version, "seconds": time.monotonic() - begun}
            saved = await self._told("save", "PUT", f"work/{assignment}/draft", body)
            if saved is None:
                return
            self.drafts[assignment] = (draft, None)
            shown["draft"] = draft
            version = saved["version"]
        await asyncio.sleep(self._think * self._random.uniform(0.5, 1.5))
        await self._hand_in(assignment, shown, work, begun)

    async def _hand_in(self, assignment: int, shown: Any, work: Json, begun: float) -> None:
        key = f"{self._random.getrandbits(128):032x}"
        body = {"work": work, "key": key, "seconds": time.monotonic() - begun}
        self.drafts.pop(assignment, None)
        got = await self._told("submit", "POST", f"work/{assignment}/submit", body)
        if got is not None:
            self.seen.handed_in.append(
                HandedIn(got["receipt"], shown["task"], work, shown["is_test"], time.monotonic())
            )

    async def _told(self, kind: str, method: str, path: str, body: Any) -> Any:
        """What the server says; None where it refuses. While it is away, it is asked again."""
        while True:
            try:
                status, told = await self.browser.call(method, path, body)
            except ServerAway:
                self.seen.happened["server away"] += 1
                await asyncio.sleep(AGAIN * self._random.uniform(0.5, 1.5))
                continue
            self.seen.seconds.setdefault(kind, []).append(self.browser.took)
            if status == 200:
                return told
            self.seen.happened[f"{kind} refused: {told.get('code', status)}"] += 1
            return None


def _begun(work: Json, part: int, parts: int) -> Json:
    """A piece of work of which so many parts are done."""
    return {
        name: value[: -(-len(value) * part // parts)] if isinstance(value, list) else value
        for name, value in work.items()
    }
