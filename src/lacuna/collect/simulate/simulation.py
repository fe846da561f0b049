"""Many scripted people at once, and a reviewer among them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from statistics import quantiles

from lacuna.collect.people.person import CollectRole
from lacuna.collect.project import CollectProject
from lacuna.collect.simulate.browser import ScriptedBrowser, Unreached
from lacuna.collect.simulate.person import Diary, Habits, ScriptedPerson
from lacuna.collect.simulate.scripts import LearnedWork
from lacuna.collect.tasks.task import Json
from lacuna.errors import LacunaError

PASSWORD = "scripted people have no secrets"
REVIEW_EVERY = 0.5
SENT_BACK = 0.1
IDLE = 1.0
AT_THE_DOOR = 8
"""So many register at the same time; hashing a password takes a core for a moment."""


class Simulation:
    """People who come to a project's server."""

    def __init__(
        self, project: CollectProject, address: str, *, habits: Habits, seed: int = 1
    ) -> None:
        self._invite: Callable[..., str] = project.accounts.invitations.invite
        self._tasks = list(project.work.tasks)
        self._knowledge = LearnedWork(project.work.tasks)
        self._address = address
        self._habits = habits
        self._seed = seed

    def run(self, people: int, seconds: float, *, review: bool = True) -> Diary:
        """Let them work so long; what happened to all of them."""
        names = [f"Scripted {self._seed}-{number + 1}" for number in range(people)]
        with ThreadPoolExecutor(AT_THE_DOOR) as door:  # all are in before anybody begins
            browsers = list(door.map(partial(self._arrive, CollectRole.WORKER), names))
        reviewer = None
        if review:
            reviewer = self._arrive(CollectRole.REVIEWER, f"Scripted reviewer {self._seed}")
        until = time.monotonic() + seconds
        ended = threading.Event()
        everybody = Diary()
        with ThreadPoolExecutor(people + 1) as at_work:
            reviewing = at_work.submit(self._review, reviewer, ended) if reviewer else None
            try:
                lives = [at_work.submit(self._live, *each, until) for each in enumerate(browsers)]
                for life in lives:
                    everybody.add(life.result())
            finally:
                ended.set()
            if reviewing is not None:
                reviewing.result()
        return everybody

    def _live(self, number: int, browser: ScriptedBrowser, until: float) -> Diary:
        random = Random(f"{self._seed} {number}")
        person = ScriptedPerson(browser, self._tasks, self._knowledge, self._habits, random)
        while time.monotonic() < until:
            if person.diary.happened["dropped out"]:
                break
            if not person.work(until):
                time.sleep(min(IDLE, max(until - time.monotonic(), 0)))
        browser.close()
        return person.diary

    def _review(self, browser: ScriptedBrowser, ended: threading.Event) -> None:
        """Look at everything that waits: most is accepted, some is sent back once."""
        random = Random(f"{self._seed} reviewer")
        seen: set[int] = set()
        while not ended.wait(REVIEW_EVERY):
            try:
                _, waiting = browser.call("GET", "console/queue")
                for one in waiting:
                    self._decide(browser, one, random, seen)
            except Unreached:
                continue
        browser.close()

    def _decide(self, browser: ScriptedBrowser, one: Json, random: Random, seen: set[int]) -> None:
        at = f"console/submissions/{one['submission']}"
        if one["person"] not in seen and random.random() < SENT_BACK:
            browser.call("POST", f"{at}/send-back", {"reason": "Please look at it once more."})
        else:
            browser.call("POST", f"{at}/accept", {})
        seen.add(one["person"])

    def _arrive(self, role: CollectRole, name: str) -> ScriptedBrowser:
        browser = ScriptedBrowser(self._address)
        try:
            browser.register(self._invite(role, note="simulated"), name, PASSWORD)
        except Unreached as error:
            raise LacunaError(
                f"Nothing answers at {self._address}: {error}. Start the project's server with "
                "`lacuna collect serve`, and give the address that it prints with --url."
            ) from error
        return browser


def slow_save(diary: Diary) -> float:
    """The time below which 95 of 100 saves were, in seconds."""
    saves = diary.save_seconds
    return quantiles(saves, n=20)[-1] if len(saves) > 1 else 0.0
