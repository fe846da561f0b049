"""Invitations: a link that makes an account, a given number of times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import INVITATION
from lacuna.collect.people.person import CollectRole
from lacuna.collect.people.tokens import digest_of_secret, new_secret
from lacuna.collect.refused import RefusedError, plain_text

JOIN = "/collect/join/"
"""The address under which an invitation is taken up, followed by its code."""
DAYS = 14


@dataclass(frozen=True, slots=True)
class Invitation:
    """What is known of an invitation; its code is known to whoever was given it alone."""

    id: int
    role: CollectRole
    uses_left: int
    note: str
    created_at: float
    expires_at: float


class Invitations:
    """Made by requesters, used by those who register."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def invite(
        self,
        role: CollectRole = CollectRole.WORKER,
        *,
        uses: int = 1,
        days: float = DAYS,
        note: str = "",
        by: int | None = None,
    ) -> str:
        """Make an invitation and return its code, which is kept nowhere."""
        note = plain_text(note, "The note", 200, may_be_empty=True)
        if uses < 1 or not 0 < days <= 3650:
            raise RefusedError("bad-invitation", "An invitation has at least one use and one day.")
        code = new_secret()
        with self._database.begin() as transaction:
            transaction.execute(
                insert(INVITATION).values(
                    code_hash=digest_of_secret(code),
                    role=role,
                    uses_left=uses,
                    note=note,
                    created_at=transaction.now,
                    expires_at=transaction.now + days * 86_400,
                )
            )
            transaction.log("invited", person=by, about={"role": role, "uses": uses})
        return code

    def look_at(self, code: str) -> Invitation:
        """An invitation that can still be used; any other is refused."""
        with self._database.read() as transaction:
            return valid_invitation(transaction, code)

    def pending(self) -> list[Invitation]:
        """All that can still be used, newest first."""
        with self._database.read() as transaction:
            rows = transaction.execute(
                select(INVITATION)
                .where(INVITATION.c.uses_left > 0, INVITATION.c.expires_at > transaction.now)
                .order_by(INVITATION.c.id.desc())
            )
            return [_invitation(row) for row in rows]


def use_invitation(transaction: CollectTransaction, code: str) -> Invitation:
    """Take one use of an invitation."""
    invitation = valid_invitation(transaction, code, lock=True)
    transaction.execute(
        update(INVITATION)
        .where(INVITATION.c.id == invitation.id)
        .values(uses_left=INVITATION.c.uses_left - 1)
    )
    return invitation


def valid_invitation(
    transaction: CollectTransaction, code: str, *, lock: bool = False
) -> Invitation:
    """The invitation of a code, if it can be used."""
    query = select(INVITATION).where(INVITATION.c.code_hash == digest_of_secret(code))
    row = transaction.execute(query.with_for_update() if lock else query).first()
    if row is None or row.uses_left < 1 or row.expires_at <= transaction.now:
        raise RefusedError(
            "no-invitation",
            "This invitation does not exist, has been used, or is too old. Ask for a new one.",
        )
    return _invitation(row)


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation(
        row.id,
        CollectRole(row.role),
        row.uses_left,
        row.note,
        row.created_at,
        row.expires_at,
    )
