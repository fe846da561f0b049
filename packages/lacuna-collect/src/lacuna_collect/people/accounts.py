"""Accounts: registering, logging in, roles, invitations, and how passwords are kept."""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Row, bindparam, delete, func, select
from sqlalchemy.exc import IntegrityError

from lacuna.web.sessions import csrf_of, digest_of, is_same, new_token
from lacuna_collect.database.engine import CollectDatabase, CollectTransaction, as_struct
from lacuna_collect.database.tables import INVITATION, LOGIN, LOGIN_ATTEMPT, PERSON
from lacuna_collect.refused import RefusedError, plain_text
from lacuna_collect.work.assignments import give_back_places

SHORTEST = 10
LONGEST = 200


class Passwords:
    """Argon2id, with its authors' present advice for time and memory."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._nobody = self._hasher.hash("the password of nobody")

    def hash(self, password: str) -> str:
        """What is kept of a password; a bad one is refused."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise RefusedError(
                "bad-password",
                f"A password has {SHORTEST} to {LONGEST} characters; several words are good.",
            )
        return self._hasher.hash(_bytes(password))

    def matches(self, password: str, kept: str | None) -> bool:
        """Whether it is the password; it takes as long for somebody who does not exist."""
        try:
            self._hasher.verify(kept or self._nobody, _bytes(password[: LONGEST + 1]))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


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
    return as_struct(Person, row, role=CollectRole(row.role))


def new_person(
    transaction: CollectTransaction,
    name: str,
    folded: str,
    role: CollectRole = CollectRole.WORKER,
    *,
    platform: str = "",
    password: str | None = None,
) -> Person:
    """Make an account, of our own or of a platform."""
    about = {"platform": platform, "name": name, "folded": folded, "role": role}
    number = transaction.add(PERSON, **about, password=password, created_at=transaction.now)
    return person_numbered(transaction, number)


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
            return transaction.add(
                LOGIN_ATTEMPT, folded=folded, address=address, failed=True, at=transaction.now
            )

    def succeeded(self, attempt: int) -> None:
        """It was the right password after all."""
        with self._database.begin() as transaction:
            transaction.change(LOGIN_ATTEMPT, LOGIN_ATTEMPT.c.id == attempt, failed=False)


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
        return csrf_of(self.token)

    def has_csrf(self, sent: str) -> bool:
        """Whether a request was sent by a page of ours."""
        return is_same(sent, self.csrf)


class Sessions:
    """Whoever has a cookie that was given out."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def of(self, token: str | None) -> LoginSession | None:
        """Who sent a cookie; blocked people too, who may read why."""
        if not token:
            return None
        with self._database.read_once() as transaction:
            sent = {"sent": digest_of(token), "now": transaction.now}
            row = transaction.execute(WHO, sent).first()
        if row is None:
            return None
        return LoginSession(row.login, person_of(row), token, row.expires_at, row.crowd or {})

    def log_out(self, token: str) -> None:
        """Make a cookie worthless."""
        with self._database.begin() as transaction:
            gone = delete(LOGIN).where(LOGIN.c.token_hash == digest_of(token))
            person = transaction.scalar(gone.returning(LOGIN.c.person))
            if person is not None:
                transaction.log("logged-out", person=person)


def new_session(
    transaction: CollectTransaction, person: Person, crowd: dict[str, Any] | None = None
) -> LoginSession:
    """Log a person in."""
    transaction.execute(delete(LOGIN).where(LOGIN.c.expires_at < transaction.now))
    token = new_token()
    expires_at = transaction.now + DAYS * 86_400
    number = transaction.add(
        LOGIN,
        person=person.id,
        token_hash=digest_of(token),
        crowd=crowd,
        created_at=transaction.now,
        expires_at=expires_at,
    )
    transaction.log("logged-in", person=person.id)
    return LoginSession(number, person, token, expires_at, crowd or {})


JOIN = "/collect/join/"
"""The address under which an invitation is taken up, followed by its code."""
INVITED_FOR_DAYS = 14


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
        days: float = INVITED_FOR_DAYS,
        note: str = "",
        by: int | None = None,
    ) -> str:
        """Make an invitation and return its code, which is kept nowhere."""
        note = plain_text(note, "The note", 200, may_be_empty=True)
        if uses < 1 or not 0 < days <= 3650:
            raise RefusedError("bad-invitation", "An invitation has at least one use and one day.")
        code = new_token()
        with self._database.begin() as transaction:
            transaction.add(
                INVITATION,
                code_hash=digest_of(code),
                role=role,
                uses_left=uses,
                note=note,
                created_at=transaction.now,
                expires_at=transaction.now + days * 86_400,
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
    transaction.change(
        INVITATION, INVITATION.c.id == invitation.id, uses_left=INVITATION.c.uses_left - 1
    )
    return invitation


def valid_invitation(
    transaction: CollectTransaction, code: str, *, lock: bool = False
) -> Invitation:
    """The invitation of a code, if it can be used."""
    query = select(INVITATION).where(INVITATION.c.code_hash == digest_of(code))
    row = transaction.execute(query.with_for_update() if lock else query).first()
    if row is None or row.uses_left < 1 or row.expires_at <= transaction.now:
        raise RefusedError(
            "no-invitation",
            "This invitation does not exist, has been used, or is too old. Ask for a new one.",
        )
    return _invitation(row)


def _invitation(row: Row[Any]) -> Invitation:
    return as_struct(Invitation, row, role=CollectRole(row.role))


LONGEST_NAME = 60
RESET_LENGTH = 12
"""Bytes of chance in a password that we make: 16 characters to be copied."""


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
                person = new_person(transaction, name, folded_name(name), role, password=kept)
                transaction.log("registered", person=person.id, about={"role": role})
                return new_session(transaction, person)
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

    def change_password(self, person: int, old: str, new: str, address: str) -> LoginSession:
        """Set another password of one's own, and log in anew; all earlier log-ins end."""
        with self._database.read() as transaction:
            found = transaction.execute(select(PERSON).where(PERSON.c.id == person)).one()
        _check_password_is_ours(person_of(found))
        attempt = self._limit.begin(found.folded, address[:100])
        if not self._passwords.matches(old, found.password):
            raise RefusedError("wrong-login", "The old password is wrong.")
        self._limit.succeeded(attempt)
        kept = self._passwords.hash(new)
        with self._database.begin() as transaction:
            _set_password(transaction, person, kept, by=person)
            return new_session(transaction, person_numbered(transaction, person))

    def reset_password(self, person: int, *, by: int | None = None) -> str:
        """Give somebody who forgot theirs a new password, and return it; their log-ins end."""
        new = secrets.token_urlsafe(RESET_LENGTH)
        kept = self._passwords.hash(new)
        with self._database.begin() as transaction:
            _check_password_is_ours(person_numbered(transaction, person))
            _set_password(transaction, person, kept, by=by)
        return new

    def people(self) -> list[Person]:
        """Everybody, in the order in which they came."""
        with self._database.read() as transaction:
            rows = transaction.execute(select(PERSON).order_by(PERSON.c.id))
            return [person_of(row) for row in rows]

    def person(self, person: int) -> Person:
        """A person by number."""
        with self._database.read() as transaction:
            return person_numbered(transaction, person)

    def named(self, name: str) -> Person:
        """A person with an account of this project's own, by name."""
        with self._database.read() as transaction:
            row = transaction.execute(
                select(PERSON).where(PERSON.c.platform == "", PERSON.c.folded == folded_name(name))
            ).first()
        if row is None:
            raise RefusedError("no-such-person", f"Nobody here is called {name!r}.")
        return person_of(row)

    def set_role(self, person: int, role: CollectRole, *, by: int | None = None) -> None:
        """Give somebody another role; their log-ins end. The last requester stays one."""
        with self._database.begin() as transaction:
            requesters = set(  # locked: two who take the role from each other must not both succeed
                transaction.execute(
                    select(PERSON.c.id)
                    .where(PERSON.c.role == CollectRole.REQUESTER, PERSON.c.blocked_at.is_(None))
                    .order_by(PERSON.c.id)
                    .with_for_update()
                ).scalars()
            )
            found = person_numbered(transaction, person)
            if found.platform and role != CollectRole.WORKER:
                raise RefusedError(
                    "from-crowd",
                    f"{found.name} came from {found.platform} and stays a worker. Invite whoever "
                    "is to do more.",
                )
            if requesters == {person} and role != CollectRole.REQUESTER:
                raise RefusedError(
                    "last-requester",
                    f"{found.name} is the only requester. Make somebody else one first.",
                )
            transaction.change(PERSON, PERSON.c.id == person, role=role)
            transaction.execute(delete(LOGIN).where(LOGIN.c.person == person))
            transaction.log("role-changed", person=person, about={"role": role, "by": by})

    def block(self, person: int, reason: str, *, by: int | None = None) -> None:
        """Shut somebody out; what they have begun goes to others, what they did is kept."""
        reason = plain_text(reason, "The reason", 2_000)
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            transaction.change(
                PERSON, PERSON.c.id == person, blocked_at=transaction.now, blocked_reason=reason
            )
            give_back_places(transaction, person=person)
            transaction.log("blocked", person=person, about={"reason": reason, "by": by})

    def unblock(self, person: int, *, by: int | None = None) -> None:
        """Let somebody in again."""
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            transaction.change(PERSON, PERSON.c.id == person, blocked_at=None, blocked_reason="")
            transaction.log("unblocked", person=person, about={"by": by})


def _check_password_is_ours(person: Person) -> None:
    if person.platform:
        raise RefusedError(
            "from-crowd", f"People from {person.platform} log in there and have no password here."
        )


def _set_password(
    transaction: CollectTransaction, person: int, kept: str, *, by: int | None
) -> None:
    transaction.change(PERSON, PERSON.c.id == person, password=kept)
    transaction.execute(delete(LOGIN).where(LOGIN.c.person == person))
    transaction.log("password-changed", person=person, about={"by": by})


def folded_name(name: str) -> str:
    """A name as it is compared: two that look the same are the same."""
    return unicodedata.normalize("NFKC", name).strip().casefold()
