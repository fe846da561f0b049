"""Bonuses by a task's own rules: due until they are entered, and entered once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from set_clock import MakeWork
from stand_in_task import WRITE, StandInWriting

from lacuna_collect.tasks.task import Bonus, FinishedWork, TaskSettings
from lacuna_collect.work.assignments import Assigned
from lacuna_collect.work.work import Work


def bonuses(
    self: StandInWriting, finished: Sequence[FinishedWork], settings: TaskSettings
) -> list[Bonus]:
    """Ten cents for each piece of work."""
    return [Bonus(one.person, 10, "A word", f"word-{one.submission}") for one in finished]


def hand_in(work: Work, person: int, word: str) -> None:
    found = work.next(person, WRITE)
    assert isinstance(found, Assigned)
    work.submit(person, found.assignment, {"word": word}, "key", 1)


def test_what_is_due_is_entered_once(
    make_work: MakeWork, people: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = make_work(items=3)
    assert work.bonuses.due() == [], "the task has no rules of its own"
    monkeypatch.setattr(StandInWriting, "bonuses", bonuses, raising=False)
    assert work.bonuses.due() == []
    ada = people[0]
    hand_in(work, ada, "tree")
    (due,) = work.bonuses.due()
    assert (due.name, due.task, due.cents, due.reason) == ("ada", WRITE, 10, "A word")
    assert work.bonuses.pay() == [due]
    assert work.bonuses.pay() == []
    assert work.ledger.earnings(ada).bonus_cents == 10
    hand_in(work, ada, "house")
    assert len(work.bonuses.pay()) == 1
    assert work.ledger.earnings(ada).bonus_cents == 20
