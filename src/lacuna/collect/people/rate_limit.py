"""How often a password may be guessed: by name and by address, counted in the database."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select, update

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import LOGIN_ATTEMPT
from lacuna.collect.refused import RefusedError

MINUTES = 15
PER_NAME = 10
PER_ADDRESS = 50
"""Failures in that time; many people may share one address."""


class LoginLimit:
    """Counts an attempt before the password is looked at: many at once get no further."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def begin(self, folded: str, address: str) -> int:
        """Count an attempt as failed for now; its number is for ``succeeded``."""
        with self._database.begin() as transaction:
            since = transaction.now - MINUTES * 60
            transaction.execute(delete(LOGIN_ATTEMPT).where(LOGIN_ATTEMPT.c.at < since))
            for column, value, most in (
                (LOGIN_ATTEMPT.c.folded, folded, PER_NAME),
                (LOGIN_ATTEMPT.c.address, address, PER_ADDRESS),
            ):
                failed = select(func.count()).where(column == value, LOGIN_ATTEMPT.c.failed)
                if (transaction.scalar(failed) or 0) >= most:
                    raise RefusedError(
                        "too-many-attempts",
                        f"There were too many failed attempts. Try again in {MINUTES} minutes.",
                    )
            made = transaction.execute(
                insert(LOGIN_ATTEMPT)
                .values(folded=folded, address=address, failed=True, at=transaction.now)
                .returning(LOGIN_ATTEMPT.c.id)
            )
            return int(made.scalar_one())

    def succeeded(self, attempt: int) -> None:
        """It was the right password after all."""
        with self._database.begin() as transaction:
            transaction.execute(
                update(LOGIN_ATTEMPT).where(LOGIN_ATTEMPT.c.id == attempt).values(failed=False)
            )
