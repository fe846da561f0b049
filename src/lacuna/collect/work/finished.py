"""Work that was accepted, as export and follow-up tasks see it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, select

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, SUBMISSION
from lacuna.collect.tasks.task import FinishedWork
from lacuna.collect.work.looking_up import TasksInUse, task_in_use
from lacuna.collect.work.results import TaskInUse
from lacuna.collect.work.shared_texts import with_shared


class FinishedWorks:
    """All work that was accepted; each submission once."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def of(self, task: str) -> list[FinishedWork]:
        """The accepted work of a task, in the order in which it was handed in."""
        used = task_in_use(self._tasks, task)
        with self._database.read() as transaction:
            return finished_works(transaction, used)

    def all(self) -> dict[str, list[FinishedWork]]:
        """That of every task, at one moment."""
        with self._database.read() as transaction:
            return {name: finished_works(transaction, task) for name, task in self._tasks.items()}


def finished_works(transaction: CollectTransaction, task: TaskInUse) -> list[FinishedWork]:
    """The accepted work of a task."""
    accepted = finished_query().where(ITEM.c.task == task.name, SUBMISSION.c.accepted)
    rows = transaction.execute(accepted.order_by(SUBMISSION.c.id)).all()
    return [finished_work(transaction, task, row) for row in rows]


def finished_query() -> Select[Any]:
    """Submissions with their items, for ``finished_work``."""
    return (
        select(
            SUBMISSION.c.id,
            SUBMISSION.c.assignment,
            SUBMISSION.c.work,
            SUBMISSION.c.loop,
            SUBMISSION.c.seconds,
            ASSIGNMENT.c.person,
            ITEM.c.task,
            ITEM.c.key,
            ITEM.c.payload,
            ITEM.c.split,
        )
        .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
        .join(ITEM, ITEM.c.id == ASSIGNMENT.c.item)
    )


def finished_work(transaction: CollectTransaction, task: TaskInUse, row: Row[Any]) -> FinishedWork:
    """A submission as export and follow-up tasks see it."""
    payload = with_shared(transaction, task.task, row.payload)
    return FinishedWork(
        row.key, payload, row.split, row.work, row.person, row.id, row.seconds, row.loop
    )
