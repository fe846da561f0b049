"""All that can be done with a project's work, in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from lacuna.corpus.store import Store
from lacuna.errors import BadField, ItemError, no_such, shown
from lacuna_collect.database.engine import CollectDatabase, as_struct
from lacuna_collect.database.tables import ASSIGNMENT, LEDGER
from lacuna_collect.tasks.task import NewItem
from lacuna_collect.work.assigning import Assigning, Qualifications, standing
from lacuna_collect.work.assignments import (
    Assigned,
    AssignmentState,
    FinishedWorks,
    NoWork,
    TaskInUse,
)
from lacuna_collect.work.items import Items
from lacuna_collect.work.money import DueBonuses, PayLedger
from lacuna_collect.work.progress import Progress, WorkerQualities
from lacuna_collect.work.review import ProblemReports, Reviews, WorkMessages
from lacuna_collect.work.submitting import Drafts, Steps, Submitting


@dataclass(frozen=True, slots=True)
class TaskForWorker:
    """A task as one worker sees it before choosing what to do."""

    task: str
    title: str
    pay_cents: int
    paused: bool
    qualified: bool | None
    """None before the test is done."""
    begun: int | None
    """The assignment that waits to be finished."""
    states: dict[str, int]
    """How many sets this person has in each ``AssignmentState``."""


@dataclass(frozen=True, slots=True)
class OwnAssignment:
    """One line of what a worker has done."""

    assignment: int
    task: str
    state: AssignmentState
    is_test: bool
    assigned_at: float
    ended_at: float | None
    reason: str
    cents: int


class Work:
    """What workers do; what reviewers and requesters do is in the attributes."""

    def __init__(
        self, database: CollectDatabase, tasks: Iterable[TaskInUse], corpus: Callable[[], Store]
    ) -> None:
        self.tasks = {task.name: task for task in tasks}
        self._database = database
        self.items = Items(database, self.tasks, corpus)
        assigning = Assigning(database, self.tasks, self.items)
        drafts, self.reports = Drafts(database, self.tasks), ProblemReports(database)
        self.next_number, self.open = assigning.next, assigning.open
        self.save, self.skip = drafts.save, drafts.skip
        self.remember_loop = drafts.remember_loop
        self.submit = Submitting(database, self.tasks).submit
        self.report = self.reports.report
        self.messages = WorkMessages(database)
        self.reviews = Reviews(database, self.tasks)
        self.qualifications = Qualifications(database, self.tasks)
        self.ledger = PayLedger(database)
        self.bonuses = DueBonuses(database, self.tasks, self.ledger)
        self.progress = Progress(database, self.tasks)
        self.workers = WorkerQualities(database, self.tasks)
        self.finished = FinishedWorks(database, self.tasks)
        self.steps = Steps(database, self.tasks)

    def next(self, person: int, task: str) -> Assigned | NoWork:
        """What a person is to do next: what was begun, then the test, then something new."""
        found = self.next_number(person, task)
        return found if isinstance(found, NoWork) else self.open(person, found)

    def tasks_for(self, person: int) -> list[TaskForWorker]:
        """All tasks, as a worker sees them."""
        with self._database.read() as transaction:
            return [
                TaskForWorker(
                    task=name,
                    title=task.task.title,
                    pay_cents=task.settings.pay_cents,
                    paused=stands.is_paused,
                    qualified=stands.passed,
                    begun=stands.begun,
                    states=stands.counts,
                )
                for name, task in self.tasks.items()
                for stands in [standing(transaction, person, name)]
            ]

    def history(self, person: int) -> list[OwnAssignment]:
        """All that a person has begun or done, newest first."""
        query = (
            select(ASSIGNMENT, LEDGER.c.cents)
            .outerjoin(LEDGER, LEDGER.c.assignment == ASSIGNMENT.c.id)
            .where(ASSIGNMENT.c.person == person)
            .order_by(ASSIGNMENT.c.id.desc())
        )
        with self._database.read() as transaction:
            return [
                as_struct(
                    OwnAssignment,
                    row,
                    assignment=row.id,
                    state=AssignmentState(row.state),
                    reason=row.returned_reason,
                    cents=row.cents or 0,
                )
                for row in transaction.execute(query)
            ]


OPTIONAL: dict[str, tuple[type, Any]] = {
    "copies": (int, 1),
    "split": (str, ""),
    "not_for": (list, []),
}


def add_item_file(work: Work, path: Path) -> dict[str, int]:
    """Add all items of a file, after all of it was checked; how many are new, by task."""
    items: dict[str, list[NewItem]] = {}
    for task, item in _items(path, list(work.tasks)):
        items.setdefault(task, []).append(item)
    return {task: work.items.add(task, some) for task, some in items.items()}


def _items(path: Path, tasks: list[str]) -> Iterator[tuple[str, NewItem]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                said = json.loads(line)
            except ValueError as error:
                raise _bad(path, number, "line", "JSON", str(error)) from error
            yield _item(path, number, said, tasks)


def _item(path: Path, number: int, said: Any, tasks: list[str]) -> tuple[str, NewItem]:
    if not isinstance(said, dict):
        raise _bad(path, number, "line", "an object", shown(said))
    for field, kind in (("task", str), ("key", str), ("payload", dict)):
        if not isinstance(said.get(field), kind) or not said[field]:
            raise _bad(path, number, field, kind.__name__, shown(said.get(field)))
    if said["task"] not in tasks:
        raise no_such("task", said["task"], tasks)
    gold = said.get("gold")
    if gold is not None and not isinstance(gold, dict):
        raise _bad(path, number, "gold", "an object", shown(gold))
    more: dict[str, Any] = {}
    for field, (wanted, default) in OPTIONAL.items():
        more[field] = said.get(field, default)
        if not isinstance(more[field], wanted) or isinstance(more[field], bool):
            raise _bad(path, number, field, wanted.__name__, shown(more[field]))
    if more["copies"] < 1:
        raise _bad(path, number, "copies", "at least 1", shown(more["copies"]))
    if not all(type(person) is int for person in more["not_for"]):
        raise _bad(path, number, "not_for", "numbers of people", shown(more["not_for"]))
    more["not_for"] = tuple(more["not_for"])
    return said["task"], NewItem(said["key"], said["payload"], gold=gold, **more)


def _bad(path: Path, number: int, field: str, expected: str, found: str) -> ItemError:
    return ItemError(path, f"line {number}", BadField(field, expected, found), can_skip=False)
