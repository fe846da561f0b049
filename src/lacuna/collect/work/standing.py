"""Where a person stands with a task: what decides whether there is more to do, in two questions."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, func, select

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, QUALIFICATION, TASK_STATE
from lacuna.collect.work.qualifying import is_qualified
from lacuna.collect.work.results import AssignmentState

RULES = select(
    select(TASK_STATE.c.paused).where(TASK_STATE.c.name == bindparam("task")).scalar_subquery(),
    select(QUALIFICATION.c.passed)
    .where(QUALIFICATION.c.person == bindparam("whose"), QUALIFICATION.c.task == bindparam("task"))
    .scalar_subquery(),
)
OWN = (
    select(
        ASSIGNMENT.c.state,
        ASSIGNMENT.c.is_test,
        func.count().label("sets"),
        func.min(ASSIGNMENT.c.id).label("first"),
    )
    .where(ASSIGNMENT.c.person == bindparam("whose"), ASSIGNMENT.c.task == bindparam("task"))
    .group_by(ASSIGNMENT.c.state, ASSIGNMENT.c.is_test)
)


@dataclass(frozen=True, slots=True)
class Standing:
    """One person and one task."""

    is_paused: bool
    passed: bool | None
    """The test; None if that is still open."""
    begun: int | None
    """The assignment that is to be gone on with."""
    counts: dict[str, int]
    """Assignments by state, the test aside."""
    has_lapsed: bool
    """Whether something that was begun was not saved in time."""


def standing(transaction: CollectTransaction, person: int, task: str) -> Standing:
    """Look at all that decides what a person is to do next."""
    about = {"whose": person, "task": task}
    paused, passed = transaction.execute(RULES, about).one()
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    for row in transaction.execute(OWN, about):
        first[row.state] = min(row.first, first.get(row.state, row.first))
        if not row.is_test:
            counts[row.state] = row.sets
    return Standing(
        is_paused=bool(paused),
        passed=is_qualified(transaction, task, passed),
        begun=first.get(AssignmentState.OPEN, first.get(AssignmentState.RETURNED)),
        counts=counts,
        has_lapsed=AssignmentState.EXPIRED in first,
    )
