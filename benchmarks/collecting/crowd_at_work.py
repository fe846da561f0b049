"""All people of a run: they register, work for a while, and are asked what they saw."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.collecting.busy_person import BusyPerson, Drafts, PeopleSeen
from benchmarks.collecting.light_browser import LightBrowser, ServerAway
from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject
from lacuna_collect.simulate.scripts import LearnedWork

PASSWORD = "people of a benchmark have no secrets"
AT_THE_DOOR = 4
LOOKS_EVERY = 30.0
"""Seconds after which the requester opens the console again."""


class CrowdAtWork:
    """Workers, and a requester who looks at the console now and then."""

    def __init__(self, project: Path, port: int, *, think: float, saves: int) -> None:
        self._project = project
        self._port = port
        self._think = think
        self._saves = saves
        self._requester = LightBrowser(port, 0)
        self._people: list[BusyPerson] = []

    async def arrive(self, people: int) -> None:
        """Let everybody make an account before anybody begins."""
        with CollectProject.open(self._project) as project:
            knowledge = LearnedWork(project.work.tasks)
            invite = project.accounts.invitations.invite
            invitation = invite(CollectRole.WORKER, uses=people)
            await self._requester.register(invite(CollectRole.REQUESTER), "Requester", PASSWORD)
        door = asyncio.Semaphore(AT_THE_DOOR)  # hashing a password takes a core for a moment

        async def register(number: int) -> BusyPerson:
            browser = LightBrowser(self._port, number + 1)
            async with door:
                await browser.register(invitation, f"Person {number + 1}", PASSWORD)
            random = Random(f"person {number}")
            return BusyPerson(browser, knowledge, random, think=self._think, saves=self._saves)

        self._people = await asyncio.gather(*map(register, range(people)))

    async def work(self, seconds: float, meanwhile: Coroutine[Any, Any, None]) -> PeopleSeen:
        """Let everybody work so long, while something else happens; what they all saw."""
        seen = PeopleSeen()
        until = time.monotonic() + seconds
        await self.work_while(lambda: time.monotonic() < until, seen, meanwhile)
        return seen

    async def work_while(
        self, goes_on: Callable[[], bool], seen: PeopleSeen, meanwhile: Coroutine[Any, Any, None]
    ) -> None:
        """Let everybody work as long as it goes on, and write down what they see."""
        looking = asyncio.create_task(self._look(seen, goes_on))
        happening = asyncio.create_task(meanwhile)
        await asyncio.gather(*(person.live(seen, goes_on) for person in self._people))
        await happening
        looking.cancel()

    async def _look(self, seen: PeopleSeen, goes_on: Callable[[], bool]) -> None:
        while goes_on():
            await asyncio.sleep(LOOKS_EVERY)
            try:
                status, _ = await self._requester.call("GET", "console/overview")
            except ServerAway:
                continue
            assert status == 200, status
            seen.seconds.setdefault("console", []).append(self._requester.took)

    def drafts(self) -> Drafts:
        """Everybody's, of work that was not handed in."""
        return {one: last for person in self._people for one, last in person.drafts.items()}

    def leave(self) -> None:
        """Close all connections."""
        for browser in (self._requester, *(person.browser for person in self._people)):
            browser.close()
