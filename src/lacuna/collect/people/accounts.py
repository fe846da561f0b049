"""Accounts: registering, logging in, roles and blocking."""

from __future__ import annotations

import unicodedata

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import LOGIN, PERSON
from lacuna.collect.people.invitations import Invitations, use_invitation
from lacuna.collect.people.passwords import Passwords
from lacuna.collect.people.person import CollectRole, Person, person_numbered, person_of
from lacuna.collect.people.rate_limit import LoginLimit
from lacuna.collect.people.sessions import LoginSession, Sessions, new_session
from lacuna.collect.refused import RefusedError, plain_text
from lacuna.collect.work.places import give_back_places

LONGEST_NAME = 60


class Accounts:
    """Everybody who has an account here."""

    def __init__(self, database: CollectDatabase, passwords: Passwords | None = None) -> None:
        self._database = database
        self._passwords = passwords or Passwords()
        self._limit = LoginLimit(database)
        self.invitations = Invitations(database)
        self.sessions = Sessions(database)

    def register(self, code: str, name: str, password: str) -> LoginSession:
        """Make an account with an invitation, and log in."""
        name = plain_text(name, "The name", LONGEST_NAME)
        self.invitations.look_at(code)  # before the work of hashing
        kept = self._passwords.hash(password)
        try:
            with self._database.begin() as transaction:
                role = use_invitation(transaction, code).role
                made = transaction.execute(
                    insert(PERSON)
                    .values(
                        platform="",
                        name=name,
                        folded=folded_name(name),
                        password=kept,
                        role=role,
                        created_at=transaction.now,
                    )
                    .returning(PERSON)
                ).one()
                transaction.log("registered", person=made.id, about={"role": role})
                return new_session(transaction, person_of(made))
        except IntegrityError as error:
            raise RefusedError(
                "name-taken", "Somebody has this name already. Choose another one."
            ) from error

    def log_in(self, name: str, password: str, address: str) -> LoginSession:
        """Log in; the same words for a wrong name and a wrong password."""
        folded = folded_name(name[: LONGEST_NAME * 2])[:200]
        attempt = self._limit.begin(folded, address[:100])
        with self._database.read() as transaction:
            row = transaction.execute(
                select(PERSON).where(PERSON.c.platform == "", PERSON.c.folded == folded)
            ).first()
        if not self._passwords.matches(password, row.password if row else None) or row is None:
            raise RefusedError("wrong-login", "The name or the password is wrong.")
        self._limit.succeeded(attempt)
        with self._database.begin() as transaction:
            return new_session(transaction, person_of(row))

    def change_password(self, person: int, old: str, new: str) -> None:
        """Set another password; all other log-ins of this person end."""
        with self._database.read() as transaction:
            kept = transaction.scalar(select(PERSON.c.password).where(PERSON.c.id == person))
        if not self._passwords.matches(old, kept):
            raise RefusedError("wrong-login", "The old password is wrong.")
        self._set_password(person, self._passwords.hash(new))

    def reset_password(self, person: int, new: str) -> None:
        """Set a password for somebody who forgot it."""
        self._set_password(person, self._passwords.hash(new))

    def _set_password(self, person: int, kept: str) -> None:
        with self._database.begin() as transaction:
            person_numbered(transaction, person)
            transaction.execute(update(PERSON).where(PERSON.c.id == person).values(password=kept))
            transaction.execute(delete(LOGIN).where(LOGIN.c.person == person))
            transaction.log("password-changed", person=person)

    def people(self) -> list[Person]:
        """Everybody, in the order in which they came."""
        with self._database.read() as transaction:
            rows = transaction.execute(select(PERSON).order_by(PERSON.c.id))
            return [person_of(row) for row in rows]

    def person(self, person: int) -> Person:
        """A person by number."""
        with self._database.read() as transaction:
            return person_numbered(transaction, person)

    def set_role(self, person: int, role: CollectRole, *, by: int | None = None) -> None:
        """Give somebody another role."""
        with self._database.begin() as transaction:
            person_numbered(transaction, person)
            transaction.execute(update(PERSON).where(PERSON.c.id == person).values(role=role))
            transaction.log("role-changed", person=person, about={"role": role, "by": by})

    def block(self, person: int, reason: str, *, by: int | None = None) -> None:
        """Shut somebody out; what they have begun goes to others, what they did is kept."""
        reason = plain_text(reason, "The reason", 2_000)
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            transaction.execute(
                update(PERSON)
                .where(PERSON.c.id == person)
                .values(blocked_at=transaction.now, blocked_reason=reason)
            )
            give_back_places(transaction, person=person)
            transaction.log("blocked", person=person, about={"reason": reason, "by": by})

    def unblock(self, person: int, *, by: int | None = None) -> None:
        """Let somebody in again."""
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            transaction.execute(
                update(PERSON)
                .where(PERSON.c.id == person)
                .values(blocked_at=None, blocked_reason="")
            )
            transaction.log("unblocked", person=person, about={"by": by})


def folded_name(name: str) -> str:
    """A name as it is compared: two that look the same are the same."""
    return unicodedata.normalize("NFKC", name).strip().casefold()
