"""Choose what two people talk about, and who of them is the teacher."""

from __future__ import annotations

from random import Random

from sqlalchemy import exists, func, select, update

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, DIALOG, ITEM, NOT_FOR
from lacuna.collect.tasks.live_task import PEOPLE_OF_A_DIALOG, DialogRole


def take_section(transaction: CollectTransaction, task: str, people: list[int]) -> int | None:
    """Take both places of a dialog about an item that neither of them knows; None if there is none.

    Items are taken in their order, so that a section gets all its dialogs before the next one.
    """
    knows = exists().where(ASSIGNMENT.c.item == ITEM.c.id, ASSIGNMENT.c.person.in_(people))
    barred = exists().where(NOT_FOR.c.item == ITEM.c.id, NOT_FOR.c.person.in_(people))
    free = ITEM.c.taken + PEOPLE_OF_A_DIALOG <= ITEM.c.copies
    query = (
        select(ITEM.c.id)
        .where(ITEM.c.task == task, ITEM.c.gold.is_(None), free, ~knows, ~barred)
        .order_by(ITEM.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    item = transaction.scalar(query)
    if item is not None:
        transaction.execute(
            update(ITEM).where(ITEM.c.id == item).values(taken=ITEM.c.taken + PEOPLE_OF_A_DIALOG)
        )
    return item


def roles_for(
    transaction: CollectTransaction, task: str, one: int, other: int, random: Random
) -> dict[DialogRole, int]:
    """Who was the teacher less often is the teacher now."""
    first, second = (_times_taught(transaction, task, person) for person in (one, other))
    teaches_first = first < second or (first == second and random.random() < 0.5)
    teacher, student = (one, other) if teaches_first else (other, one)
    return {DialogRole.TEACHER: teacher, DialogRole.STUDENT: student}


def _times_taught(transaction: CollectTransaction, task: str, person: int) -> int:
    query = select(func.count()).where(DIALOG.c.task == task, DIALOG.c.teacher == person)
    return transaction.scalar(query) or 0
