"""The places of an item: as many people work on it as it has copies, and no more."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, case, select, update

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM
from lacuna.collect.work.results import AssignmentState

BEGUN = (AssignmentState.OPEN, AssignmentState.RETURNED)
"""States in which a person has an item, but has not handed it in."""


def take_place(transaction: CollectTransaction, item: int) -> bool:
    """Take a place of an item, if one is free."""
    taken = transaction.execute(
        update(ITEM)
        .where(ITEM.c.id == item, (ITEM.c.taken < ITEM.c.copies) | ITEM.c.gold.is_not(None))
        .values(taken=ITEM.c.taken + 1)
    )
    return taken.rowcount == 1


def free_place(transaction: CollectTransaction, item: int) -> None:
    """Give a place back."""
    transaction.execute(
        update(ITEM).where(ITEM.c.id == item).values(taken=_not_negative(ITEM.c.taken - 1))
    )


def retire_item(transaction: CollectTransaction, item: int) -> None:
    """Hand an item that was drawn on demand to nobody else: there are always others."""
    transaction.execute(
        update(ITEM).where(ITEM.c.id == item, ITEM.c.drawn).values(copies=ITEM.c.taken)
    )


def give_back_places(
    transaction: CollectTransaction, *, person: int | None = None, task: str | None = None
) -> int:
    """End what a person has begun, or what nobody has saved in time; their drafts are kept."""
    wanted: list[ColumnElement[bool]] = [ASSIGNMENT.c.state.in_(BEGUN)]
    if person is None:
        wanted.append(ASSIGNMENT.c.expires_at <= transaction.now)
    else:
        wanted.append(ASSIGNMENT.c.person == person)
    if task is not None:
        wanted.append(ASSIGNMENT.c.task == task)
    overdue = transaction.execute(
        select(ASSIGNMENT.c.id, ASSIGNMENT.c.item, ASSIGNMENT.c.person, ASSIGNMENT.c.task)
        .where(*wanted)
        .order_by(ASSIGNMENT.c.item)  # everybody locks in the same order
        # Whoever is saving one of them at this moment keeps it.
        .with_for_update(skip_locked=person is None)
    ).all()
    for row in overdue:
        transaction.execute(
            update(ASSIGNMENT)
            .where(ASSIGNMENT.c.id == row.id)
            .values(state=AssignmentState.EXPIRED, has_place=False)
        )
        free_place(transaction, row.item)
        transaction.log("expired", person=row.person, task=row.task, assignment=row.id)
    return len(overdue)


def _not_negative(value: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((value < 0, 0), else_=value)
