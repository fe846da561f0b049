"""How far a project is: counts, throughput and cost, by task."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import func, insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import (
    ASSIGNMENT,
    ITEM,
    LEDGER,
    QUALIFICATION,
    SUBMISSION,
    TASK_STATE,
)
from lacuna.collect.work.assigning import is_paused
from lacuna.collect.work.ledger import hourly_dollars
from lacuna.collect.work.looking_up import TasksInUse, task_in_use
from lacuna.collect.work.results import AssignmentState

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
            change = update(TASK_STATE).where(TASK_STATE.c.name == task).values(paused=paused)
            if not transaction.execute(change).rowcount:
                transaction.execute(insert(TASK_STATE).values(name=task, paused=paused))
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
