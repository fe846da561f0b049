"""How much there is to do for a person."""

from __future__ import annotations

from sqlalchemy import exists, func, select

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, NOT_FOR


class OpenItems:
    """Counts what somebody could take now; items that are drawn on demand are not there yet."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def by_task(self, person: int) -> dict[str, int]:
        """How many items of each task a person has not had, may have, and finds a place on."""
        had = exists().where(ASSIGNMENT.c.item == ITEM.c.id, ASSIGNMENT.c.person == person)
        barred = exists().where(NOT_FOR.c.item == ITEM.c.id, NOT_FOR.c.person == person)
        free = (
            select(ITEM.c.task, func.count())
            .where(ITEM.c.gold.is_(None), ITEM.c.taken < ITEM.c.copies, ~had, ~barred)
            .group_by(ITEM.c.task)
        )
        with self._database.read() as transaction:
            return {row[0]: row[1] for row in transaction.execute(free)}
