"""How far a project is, how good each worker is, and what work comes back with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean, median

from sqlalchemy import func, select

from lacuna_collect.database.engine import CollectDatabase, CollectTransaction
from lacuna_collect.database.tables import (
    ASSIGNMENT,
    ITEM,
    LEDGER,
    PERSON,
    QUALIFICATION,
    REVIEW,
    SUBMISSION,
    TASK_STATE,
)
from lacuna_collect.tasks.task import FinishedWork, LiveTask, by_item
from lacuna_collect.work.assigning import is_paused
from lacuna_collect.work.assignments import (
    AssignmentState,
    TaskInUse,
    TasksInUse,
    finished_works,
    task_in_use,
)
from lacuna_collect.work.money import hourly_dollars


@dataclass(frozen=True, slots=True)
class WorkerQuality:
    """One person's work on one task."""

    person: int
    name: str
    platform: str
    is_blocked: bool
    task: str
    passed: bool | None
    """The test; None where it was not finished or there is none."""
    gold: float | None
    """Mean score on the test's items."""
    states: dict[str, int]
    sent_back: int
    """How often a reviewer sent something back."""
    agreement: float | None
    """With others who did the same items; None where there are none."""
    median_seconds: float | None
    """For an accepted set."""
    cents: int

    @property
    def accepted(self) -> int:
        """Sets that were accepted."""
        return self.states.get(AssignmentState.ACCEPTED, 0)


class WorkerQualities:
    """Looks at everybody's work."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def all(self) -> list[WorkerQuality]:
        """Everybody who has begun something of a task, by task and then by person."""
        with self._database.read() as transaction:
            return [
                quality
                for task in self._tasks.values()
                for quality in _qualities(transaction, task)
            ]


def pairwise_agreement(works: Sequence[FinishedWork], task: TaskInUse) -> Mapping[int, float]:
    """How well each person's work agrees with that of others on the same items, from 0 to 1.

    A task compares work with gold for its test; here each of the others stands for the gold.
    """
    scores: dict[int, list[float]] = defaultdict(list)
    for same in by_item(works).values():
        for one, other in permutations(same, 2):
            if one.person != other.person:
                scores[one.person].append(task.task.score(one.payload, one.work, other.work))
    return {person: fmean(values) for person, values in scores.items()}


def _qualities(transaction: CollectTransaction, task: TaskInUse) -> list[WorkerQuality]:
    states: dict[int, dict[str, int]] = defaultdict(dict)
    for person, state, is_test, count in transaction.execute(
        select(ASSIGNMENT.c.person, ASSIGNMENT.c.state, ASSIGNMENT.c.is_test, func.count())
        .where(ASSIGNMENT.c.task == task.name)
        .group_by(ASSIGNMENT.c.person, ASSIGNMENT.c.state, ASSIGNMENT.c.is_test)
    ):
        if not is_test:
            states[person][state] = count
        else:
            states[person].setdefault(AssignmentState.ACCEPTED, 0)
    judged = {
        row.person: row
        for row in transaction.execute(
            select(QUALIFICATION).where(QUALIFICATION.c.task == task.name)
        )
    }
    gold: dict[int, float] = {
        row.person: row.gold
        for row in transaction.execute(
            select(ASSIGNMENT.c.person, func.avg(SUBMISSION.c.score).label("gold"))
            .join(SUBMISSION, SUBMISSION.c.assignment == ASSIGNMENT.c.id)
            .where(ASSIGNMENT.c.task == task.name, ASSIGNMENT.c.is_test)
            .group_by(ASSIGNMENT.c.person)
        )
    }
    returned = Counter(
        transaction.execute(
            select(ASSIGNMENT.c.person)
            .join(SUBMISSION, SUBMISSION.c.assignment == ASSIGNMENT.c.id)
            .join(REVIEW, REVIEW.c.submission == SUBMISSION.c.id)
            .where(ASSIGNMENT.c.task == task.name, REVIEW.c.verdict == "send back")
        ).scalars()
    )
    cents = Counter[int]()
    for person, sum_ in transaction.execute(
        select(LEDGER.c.person, LEDGER.c.cents).where(LEDGER.c.task == task.name)
    ):
        cents[person] += sum_
    works = finished_works(transaction, task)
    seconds: dict[int, list[float]] = defaultdict(list)
    for work in works:
        seconds[work.person].append(work.seconds)
    # What two people said in one dialog is one work, and other dialogs are no gold for it.
    agreement = {} if isinstance(task.task, LiveTask) else pairwise_agreement(works, task)
    people = transaction.execute(
        select(PERSON).where(PERSON.c.id.in_(states)).order_by(PERSON.c.id)
    )
    return [
        WorkerQuality(
            person=row.id,
            name=row.name,
            platform=row.platform,
            is_blocked=row.blocked_at is not None,
            task=task.name,
            passed=judged[row.id].passed if row.id in judged else None,
            gold=gold.get(row.id),
            states=states[row.id],
            sent_back=returned[row.id],
            agreement=agreement.get(row.id),
            median_seconds=median(seconds[row.id]) if seconds[row.id] else None,
            cents=cents[row.id],
        )
        for row in people
    ]


HOUR = 3600


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """How far one task is."""

    task: str
    title: str
    paused: bool
    items: int
    """Those of the test aside, as in all that follows."""
    wanted: int
    """Sets that are to be done: every item as often as it has copies."""
    states: dict[str, int]
    """Assignments by state (``AssignmentState``)."""
    qualified: int
    """People who passed the test."""
    failed: int
    pay_cents: int
    bonus_cents: int
    hours: float
    """Spent on accepted sets."""
    accepted_by_hour: list[tuple[float, int]]
    """The beginning of each hour in which work that was accepted came in, and how much."""
    cents_by_hour: list[tuple[float, int]]

    @property
    def accepted(self) -> int:
        """Sets that are done."""
        return self.states.get(AssignmentState.ACCEPTED, 0)

    @property
    def dollars_per_hour(self) -> float | None:
        """What workers earn, pay and bonus; see ``hourly_dollars``."""
        return hourly_dollars(self.pay_cents + self.bonus_cents, self.hours)


class Progress:
    """Looks at all tasks of a project."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def all(self) -> list[TaskProgress]:
        """Every task, in the project's order, at one moment."""
        with self._database.read() as transaction:
            return [self._of(transaction, name) for name in self._tasks]

    def pause(self, task: str, paused: bool, *, by: int | None = None) -> None:
        """Hand out no more of a task, or go on; what was begun can be finished either way."""
        task_in_use(self._tasks, task)
        with self._database.begin() as transaction:
            if not transaction.change(TASK_STATE, TASK_STATE.c.name == task, paused=paused):
                transaction.add(TASK_STATE, name=task, paused=paused)
            transaction.log("paused" if paused else "resumed", task=task, about={"by": by})

    def _of(self, transaction: CollectTransaction, task: str) -> TaskProgress:
        items, wanted = transaction.execute(
            select(func.count(), func.coalesce(func.sum(ITEM.c.copies), 0)).where(
                ITEM.c.task == task, ITEM.c.gold.is_(None)
            )
        ).one()
        states = transaction.execute(
            select(ASSIGNMENT.c.state, func.count().label("sets"))
            .where(ASSIGNMENT.c.task == task, ~ASSIGNMENT.c.is_test)
            .group_by(ASSIGNMENT.c.state)
        )
        judged = transaction.execute(
            select(QUALIFICATION.c.passed, func.count())
            .where(QUALIFICATION.c.task == task)
            .group_by(QUALIFICATION.c.passed)
        )
        passed = {bool(passed): count for passed, count in judged}
        accepted = transaction.execute(
            select(SUBMISSION.c.at, SUBMISSION.c.seconds)
            .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
            .where(ASSIGNMENT.c.task == task, SUBMISSION.c.accepted)
        ).all()
        ledger = transaction.execute(
            select(LEDGER.c.at, LEDGER.c.kind, LEDGER.c.cents).where(LEDGER.c.task == task)
        ).all()
        cents = Counter[str]()
        cents_by_hour = Counter[float]()
        for at, kind, sum_ in ledger:
            cents[kind] += sum_
            cents_by_hour[at // HOUR * HOUR] += sum_
        return TaskProgress(
            task=task,
            title=self._tasks[task].task.title,
            paused=is_paused(transaction, task),
            items=items,
            wanted=int(wanted),
            states={row.state: row.sets for row in states},
            qualified=passed.get(True, 0),
            failed=passed.get(False, 0),
            pay_cents=cents["pay"],
            bonus_cents=cents["bonus"],
            hours=sum(row.seconds for row in accepted) / HOUR,
            accepted_by_hour=sorted(Counter(row.at // HOUR * HOUR for row in accepted).items()),
            cents_by_hour=sorted(cents_by_hour.items()),
        )
