"""One scripted person: asks for work, saves while working, hands in, and sometimes leaves."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from lacuna.collect.simulate.browser import ScriptedBrowser, Unreached
from lacuna.collect.simulate.scripts import LearnedWork
from lacuna.collect.tasks.quac.answering import ANSWERING

AGAIN = 0.5
"""Seconds after which what did not arrive is sent again."""
TWICE = 0.1
"""The share of work that is sent twice."""
DIALOG_SECONDS = 60.0
"""After so long without an end, somebody leaves a dialog or the waiting room."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How scripted people work."""

    errors: float = 0.1
    """The share of work with an error in it."""
    dropouts: float = 0.02
    """How often somebody leaves in the middle of a set, for good."""
    pause: float = 1.0
    """Seconds between two saves, on average."""
    saves: int = 3
    """Drafts of one set."""


@dataclass(slots=True)
class Diary:
    """What happened to one person, or to all of them."""

    receipts: list[str] = field(default_factory=list)
    """Of work that the server has taken, the tests included; each once."""
    save_seconds: list[float] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)

    def add(self, other: Diary) -> None:
        """Put what happened to somebody else to this."""
        self.receipts += other.receipts
        self.save_seconds += other.save_seconds
        self.happened += other.happened


class ScriptedPerson:
    """Works until told to stop, there is nothing to do, or it has had enough."""

    def __init__(
        self,
        browser: ScriptedBrowser,
        tasks: Sequence[str],
        knowledge: LearnedWork,
        habits: Habits,
        random: Random,
    ) -> None:
        self._browser = browser
        self._tasks = list(tasks)
        self._knowledge = knowledge
        self._habits = habits
        self._random = random
        self.diary = Diary()

    def work(self, until: float) -> bool:
        """Do one set of the first task that has one; whether there was any."""
        self._random.shuffle(self._tasks)
        for task in self._tasks:
            got = self._told("POST", f"tasks/{task}/next", {}, until)
            if got is not None and got.get("assignment"):
                return self._do(int(got["assignment"]), until)
            if got is not None and got.get("reason") == "live" and self._talk(until):
                return True
        return False

    def _do(self, assignment: int, until: float) -> bool:
        begun = time.monotonic()
        shown = self._told("GET", f"work/{assignment}", None, until)
        if shown is None:
            return False
        task = shown["task"]
        work = self._knowledge.work(task, shown["shown"], self._random, self._habits.errors)
        if shown["shown"].get("kind") == ANSWERING:
            if not self._step_through(assignment, work["answers"], until):
                return False
            return self._hand_in(assignment, shown, work, begun, until)
        version = shown["version"]
        for part in range(self._habits.saves):
            self._rest()
            draft = dict(list(work.items())[: part + 1])
            body = {"draft": draft, "version": version, "seconds": time.monotonic() - begun}
            saved = self._told("PUT", f"work/{assignment}/draft", body, until)
            if saved is None:
                return False
            self.diary.save_seconds.append(self._browser.took)
            version = saved["version"]
            if self._random.random() < self._habits.dropouts / self._habits.saves:
                self.diary.happened["dropped out"] += 1
                return False
        return self._hand_in(assignment, shown, work, begun, until)

    def _step_through(self, assignment: int, answers: Sequence[Any], until: float) -> bool:
        """Answer the questions of a dialog one after another."""
        for number, answer in enumerate(answers):
            self._rest()
            body = {"number": number, "answer": answer}
            if self._told("POST", f"work/{assignment}/steps", body, until) is None:
                return False
        return True

    def _talk(self, until: float) -> bool:
        """Hold one dialog with whoever comes; whether there was one."""
        from lacuna.collect.simulate.talker import ScriptedTalker, TalkDiary, line_to

        diary = TalkDiary()
        line = line_to(self._browser.address, self._browser.cookie)
        talker = ScriptedTalker(line, self._browser.csrf, diary, self._random, self._habits.pause)
        patience = min(until, time.monotonic() + DIALOG_SECONDS)
        ended = asyncio.run(talker.talk(1, patience))
        self.diary.happened["quac-dialogs"] += ended
        return bool(ended)

    def _hand_in(self, assignment: int, shown: Any, work: Any, begun: float, until: float) -> bool:
        key = f"{self._random.getrandbits(128):032x}"
        path = f"work/{assignment}/submit"
        body = {"work": work, "key": key, "seconds": time.monotonic() - begun}
        got = self._told("POST", path, body, until)
        if got is None and not shown["is_test"]:
            # What was refused is done again without an error, or given back.
            body["work"] = self._knowledge.work(shown["task"], shown["shown"], self._random, 0)
            got = self._told("POST", path, body, until)
        if got is None:
            self._told("POST", f"work/{assignment}/skip", {"reason": "I cannot do it."}, until)
            return True
        if self._random.random() < TWICE:
            again = self._told("POST", path, body, until)
            if again is not None and again["receipt"] != got["receipt"]:
                self.diary.happened["two receipts for one piece of work"] += 1
        self.diary.receipts.append(got["receipt"])
        self.diary.happened["test" if shown["is_test"] else shown["task"]] += 1
        return True

    def _told(self, method: str, path: str, body: Any, until: float) -> Any:
        """What the server says; None where it refuses. While it is away, it is asked again."""
        while True:
            try:
                status, told = self._browser.call(method, path, body)
            except Unreached:
                self.diary.happened["server away"] += 1
                if time.monotonic() > until:
                    return None
                time.sleep(AGAIN)
                continue
            if status == 200:
                return told
            self.diary.happened[f"refused: {told.get('code', status)}"] += 1
            return None

    def _rest(self) -> None:
        if self._habits.pause:
            time.sleep(self._random.expovariate(1 / self._habits.pause))
