"""How good each worker is: gold, agreement with others, time, and what reviewers decided."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean, median

from sqlalchemy import func, select

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import (
    ASSIGNMENT,
    LEDGER,
    PERSON,
    QUALIFICATION,
    REVIEW,
    SUBMISSION,
)
from lacuna.collect.tasks.live_task import LiveTask
from lacuna.collect.tasks.task import FinishedWork
from lacuna.collect.work.finished import finished_works
from lacuna.collect.work.looking_up import TasksInUse
from lacuna.collect.work.results import AssignmentState, TaskInUse


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
    by_item: dict[str, list[FinishedWork]] = defaultdict(list)
    for work in works:
        by_item[work.item_key].append(work)
    scores: dict[int, list[float]] = defaultdict(list)
    for same in by_item.values():
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
