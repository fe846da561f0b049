"""Work that was accepted, as export and follow-up tasks see it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, select

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, SUBMISSION
from lacuna.collect.tasks.task import FinishedWork
from lacuna.collect.work.looking_up import TasksInUse, task_in_use


class FinishedWorks:
    """All work that was accepted; each submission once."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def of(self, task: str) -> list[FinishedWork]:
        """The accepted work of a task, in the order in which it was handed in."""
        task_in_use(self._tasks, task)
        with self._database.read() as transaction:
            return finished_works(transaction, task)

    def all(self) -> dict[str, list[FinishedWork]]:
        """That of every task, at one moment."""
        with self._database.read() as transaction:
            return {task: finished_works(transaction, task) for task in self._tasks}


def finished_works(transaction: CollectTransaction, task: str) -> list[FinishedWork]:
    """The accepted work of a task."""
    rows = transaction.execute(
        finished_query().where(ITEM.c.task == task, SUBMISSION.c.accepted).order_by(SUBMISSION.c.id)
    )
    return [finished_work(row) for row in rows]


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


def finished_work(row: Row[Any]) -> FinishedWork:
    """A submission as export and follow-up tasks see it."""
    return FinishedWork(
        row.key, row.payload, row.split, row.work, row.person, row.id, row.seconds, row.loop
    )
