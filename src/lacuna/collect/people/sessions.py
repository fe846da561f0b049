"""Log-ins: a cookie that says who somebody is."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, delete, insert, select

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import LOGIN, PERSON
from lacuna.collect.people.person import Person, person_of
from lacuna.collect.people.tokens import csrf_token, digest_of_secret, new_secret

DAYS = 30
WHO = (  # every request asks this
    select(PERSON, LOGIN.c.id.label("login"), LOGIN.c.crowd, LOGIN.c.expires_at)
    .join(LOGIN, LOGIN.c.person == PERSON.c.id)
    .where(LOGIN.c.token_hash == bindparam("sent"), LOGIN.c.expires_at > bindparam("now"))
)


@dataclass(frozen=True, slots=True)
class LoginSession:
    """A person who is logged in."""

    id: int
    person: Person
    token: str
    """The cookie's value."""
    expires_at: float
    crowd: dict[str, Any] = field(default_factory=dict)
    """What a platform sent along; see ``Crowd.completion``."""

    @property
    def csrf(self) -> str:
        """What every request that changes something has to send along."""
        return csrf_token(self.token)

    def has_csrf(self, sent: str) -> bool:
        """Whether a request was sent by a page of ours."""
        return hmac.compare_digest(self.csrf.encode(), sent.encode("utf-8", "surrogatepass"))


class Sessions:
    """Whoever has a cookie that was given out."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def of(self, token: str | None) -> LoginSession | None:
        """Who sent a cookie; blocked people too, who may read why."""
        if not token:
            return None
        with self._database.read_once() as transaction:
            sent = {"sent": digest_of_secret(token), "now": transaction.now}
            row = transaction.execute(WHO, sent).first()
        if row is None:
            return None
        return LoginSession(row.login, person_of(row), token, row.expires_at, row.crowd or {})

    def log_out(self, token: str) -> None:
        """Make a cookie worthless."""
        with self._database.begin() as transaction:
            gone = delete(LOGIN).where(LOGIN.c.token_hash == digest_of_secret(token))
            person = transaction.scalar(gone.returning(LOGIN.c.person))
            if person is not None:
                transaction.log("logged-out", person=person)


def new_session(
    transaction: CollectTransaction, person: Person, crowd: dict[str, Any] | None = None
) -> LoginSession:
    """Log a person in."""
    transaction.execute(delete(LOGIN).where(LOGIN.c.expires_at < transaction.now))
    token = new_secret()
    expires_at = transaction.now + DAYS * 86_400
    made = transaction.execute(
        insert(LOGIN)
        .values(
            person=person.id,
            token_hash=digest_of_secret(token),
            crowd=crowd,
            created_at=transaction.now,
            expires_at=expires_at,
        )
        .returning(LOGIN.c.id)
    )
    transaction.log("logged-in", person=person.id)
    return LoginSession(int(made.scalar_one()), person, token, expires_at, crowd or {})
