"""What happens when work is accepted: it is paid, and may make items of other tasks."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import update

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, SUBMISSION
from lacuna.collect.tasks.stepped_task import PaidByWorkTask
from lacuna.collect.tasks.task import FinishedWork
from lacuna.collect.work.finished import finished_query, finished_work
from lacuna.collect.work.items import add_items
from lacuna.collect.work.ledger import enter
from lacuna.collect.work.looking_up import TasksInUse, task_in_use
from lacuna.collect.work.results import AssignmentState


def accept_submission(
    transaction: CollectTransaction, tasks: TasksInUse, submission: int
) -> Sequence[str]:
    """Accept work, in the transaction that decided it; the tasks that have new items by it."""
    row = transaction.execute(finished_query().where(SUBMISSION.c.id == submission)).one()
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
    finished = finished_work(transaction, task_in_use(tasks, row.task), row)
    return reward(transaction, tasks, row.task, row.assignment, finished)


def reward(
    transaction: CollectTransaction,
    tasks: TasksInUse,
    name: str,
    assignment: int,
    finished: FinishedWork,
) -> Sequence[str]:
    """Pay for work that was just accepted, and make what follows from it."""
    task = task_in_use(tasks, name)
    cents = task.settings.pay_cents
    if isinstance(task.task, PaidByWorkTask):
        cents = task.task.pay_for(finished.work, task.settings)
    enter(
        transaction,
        person=finished.person,
        task=name,
        assignment=assignment,
        kind="pay",
        reference=f"pay:{assignment}",
        cents=cents,
    )
    following = task.task.follow_up(finished, task.settings)
    for other, items in following.items():
        add_items(transaction, task_in_use(tasks, other), items)
    transaction.log("accepted", person=finished.person, task=name, assignment=assignment)
    return list(following)
