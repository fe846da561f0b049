"""What happens when work is accepted: it is paid, and may make items of other tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, SUBMISSION
from lacuna.collect.tasks.task import FinishedWork
from lacuna.collect.work.items import add_items
from lacuna.collect.work.ledger import enter
from lacuna.collect.work.looking_up import TasksInUse, task_in_use
from lacuna.collect.work.results import AssignmentState


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
        _finished().where(ITEM.c.task == task, SUBMISSION.c.accepted).order_by(SUBMISSION.c.id)
    )
    return [_finished_work(row) for row in rows]


def accept_submission(
    transaction: CollectTransaction, tasks: TasksInUse, submission: int
) -> Sequence[str]:
    """Accept work, in the transaction that decided it; the tasks that have new items by it."""
    row = transaction.execute(_finished().where(SUBMISSION.c.id == submission)).one()
    task = task_in_use(tasks, row.task)
    transaction.execute(
        update(SUBMISSION)
        .where(SUBMISSION.c.assignment == row.assignment)
        .values(accepted=SUBMISSION.c.id == submission)
    )
    transaction.execute(
        update(ASSIGNMENT)
        .where(ASSIGNMENT.c.id == row.assignment)
        .values(state=AssignmentState.ACCEPTED, ended_at=transaction.now)
    )
    enter(
        transaction,
        person=row.person,
        task=row.task,
        assignment=row.assignment,
        kind="pay",
        reference=f"pay:{row.assignment}",
        cents=task.settings.pay_cents,
    )
    following = task.task.follow_up(_finished_work(row), task.settings)
    for name, items in following.items():
        add_items(transaction, task_in_use(tasks, name).name, items)
    transaction.log("accepted", person=row.person, task=row.task, assignment=row.assignment)
    return list(following)


def _finished() -> Select[Any]:
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


def _finished_work(row: Row[Any]) -> FinishedWork:
    return FinishedWork(
        row.key, row.payload, row.split, row.work, row.person, row.id, row.seconds, row.loop
    )
