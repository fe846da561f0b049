"""Find an assignment for a person, and show it as far as the person may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, Select, select

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM
from lacuna.collect.refused import RefusedError
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.results import Assigned, AssignmentState, TaskInUse
from lacuna.errors import no_such

TasksInUse = Mapping[str, TaskInUse]


def task_in_use(tasks: TasksInUse, name: str) -> TaskInUse:
    """A task of this project."""
    if name not in tasks:
        raise RefusedError("no-such-task", str(no_such("task", name, list(tasks))))
    return tasks[name]


def own_assignment(transaction: CollectTransaction, person: int, assignment: int) -> Row[Any]:
    """A person's own assignment with its item, as it is stored (see ``with_shared``).

    Another's is refused as if there were none.
    """
    query = select(
        ASSIGNMENT, ITEM.c.key.label("item_key"), ITEM.c.payload, ITEM.c.gold, ITEM.c.split
    ).join(ITEM, ITEM.c.id == ASSIGNMENT.c.item)
    return _own(transaction, query, person, assignment)


def locked_assignment(transaction: CollectTransaction, person: int, assignment: int) -> Row[Any]:
    """The same to be changed, without its item: items are long, and drafts saved often."""
    query = select(ASSIGNMENT).with_for_update()
    return _own(transaction, query, person, assignment)


def _own(
    transaction: CollectTransaction, query: Select[Any], person: int, assignment: int
) -> Row[Any]:
    own = query.where(ASSIGNMENT.c.id == assignment, ASSIGNMENT.c.person == person)
    row = transaction.execute(own).first()
    if row is None:
        raise RefusedError("no-such-assignment", "There is no such assignment.")
    return row


def as_assigned(row: Row[Any], payload: Json, task: TaskInUse, tests_left: int = 0) -> Assigned:
    """An assignment with its item, as the person may see it."""
    return Assigned(
        assignment=row.id,
        task=row.task,
        state=AssignmentState(row.state),
        shown=task.task.shown(payload, task.settings),
        draft=row.draft,
        version=row.version,
        seconds=row.seconds,
        assigned_at=row.assigned_at,
        expires_at=row.expires_at,
        pay_cents=0 if row.is_test else task.settings.pay_cents,
        returned_reason=row.returned_reason,
        is_test=row.is_test,
        tests_left=tests_left,
    )
