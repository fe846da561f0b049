"""Many scripted people at once, and a reviewer among them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random
from statistics import quantiles

from lacuna.collect.people.person import CollectRole
from lacuna.collect.project import CollectProject
from lacuna.collect.simulate.browser import ScriptedBrowser, Unreached
from lacuna.collect.simulate.person import Diary, Habits, ScriptedPerson
from lacuna.collect.simulate.scripts import Knowledge
from lacuna.collect.tasks.task import Json

PASSWORD = "scripted people have no secrets"
REVIEW_EVERY = 0.5
SENT_BACK = 0.1
IDLE = 1.0


class Simulation:
    """People who come to a project's server."""

    def __init__(
        self, project: CollectProject, address: str, *, habits: Habits, seed: int = 1
    ) -> None:
        self._invite: Callable[..., str] = project.accounts.invitations.invite
        self._tasks = list(project.work.tasks)
        self._knowledge = Knowledge(project.work.tasks)
        self._address = address
        self._habits = habits
        self._seed = seed
        self._ended = threading.Event()

    def run(self, people: int, seconds: float, *, review: bool = True) -> Diary:
        """Let them work so long; what happened to all of them."""
        until = time.monotonic() + seconds
        everybody = Diary()
        lock = threading.Lock()

        def live(number: int) -> None:
            diary = self._live(number, until)
            with lock:
                everybody.add(diary)

        workers = [threading.Thread(target=live, args=(n,), daemon=True) for n in range(people)]
        reviewer = threading.Thread(target=self._review, args=(until,), daemon=True)
        for thread in workers:
            thread.start()
        if review:
            reviewer.start()
        for thread in workers:
            thread.join()
        self._ended.set()
        if review:
            reviewer.join()
        return everybody

    def _live(self, number: int, until: float) -> Diary:
        random = Random(f"{self._seed} {number}")
        browser = self._arrive(CollectRole.WORKER, f"Scripted {self._seed}-{number + 1}")
        person = ScriptedPerson(browser, self._tasks, self._knowledge, self._habits, random)
        while time.monotonic() < until:
            if person.diary.happened["dropped out"]:
                break
            if not person.work(until):
                time.sleep(min(IDLE, max(until - time.monotonic(), 0)))
        browser.close()
        return person.diary

    def _review(self, until: float) -> None:
        """Look at everything that waits: most is accepted, some is sent back once."""
        random = Random(f"{self._seed} reviewer")
        browser = self._arrive(CollectRole.REVIEWER, f"Scripted reviewer {self._seed}")
        seen: set[int] = set()
        while not self._ended.wait(REVIEW_EVERY) and time.monotonic() < until + REVIEW_EVERY:
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
        browser.register(self._invite(role, note="simulated"), name, PASSWORD)
        return browser


def slow_save(diary: Diary) -> float:
    """The time below which 95 of 100 saves were, in seconds."""
    saves = diary.save_seconds
    return quantiles(saves, n=20)[-1] if len(saves) > 1 else 0.0
