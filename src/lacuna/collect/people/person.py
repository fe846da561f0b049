"""A person as the rest of the house sees one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, select

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import PERSON
from lacuna.collect.refused import RefusedError


class CollectRole(StrEnum):
    """What a person may do; each may do what those before may."""

    WORKER = "worker"
    REVIEWER = "reviewer"
    REQUESTER = "requester"

    def may(self, needed: CollectRole) -> bool:
        """Whether this role is enough."""
        order = list(CollectRole)
        return order.index(self) >= order.index(needed)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone with an account, here or on a crowd's platform."""

    id: int
    name: str
    role: CollectRole
    platform: str
    """Empty, ``mturk`` or ``prolific``."""
    created_at: float
    blocked_at: float | None
    blocked_reason: str

    @property
    def is_blocked(self) -> bool:
        """Whether a requester has shut this person out."""
        return self.blocked_at is not None


def person_of(row: Row[Any]) -> Person:
    """A person from a row with the columns of the table."""
    return Person(
        row.id,
        row.name,
        CollectRole(row.role),
        row.platform,
        row.created_at,
        row.blocked_at,
        row.blocked_reason,
    )


def person_numbered(transaction: CollectTransaction, person: int, *, lock: bool = False) -> Person:
    """A person by number; ``lock`` makes whatever else this person does wait."""
    query = select(PERSON).where(PERSON.c.id == person)
    row = transaction.execute(query.with_for_update(key_share=True) if lock else query).first()
    if row is None:
        raise RefusedError("no-such-person", "There is no such person here.")
    return person_of(row)


def working_person(transaction: CollectTransaction, person: int) -> Person:
    """The same for somebody who is about to work; refused to those who are blocked."""
    found = person_numbered(transaction, person, lock=True)
    if found.is_blocked:
        reason = f" {found.blocked_reason}" if found.blocked_reason else ""
        raise RefusedError("blocked", f"You cannot work here any more.{reason}")
    return found
