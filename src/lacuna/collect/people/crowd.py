"""People whom Mechanical Turk or Prolific sends, and the way back to it."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import PERSON
from lacuna.collect.people.person import CollectRole, Person, person_of
from lacuna.collect.people.sessions import LoginSession, new_session
from lacuna.collect.refused import RefusedError, plain_text

MTURK_SITES = ("https://www.mturk.com", "https://workersandbox.mturk.com")
"""Where results are posted to; any other address would carry them off."""
MTURK_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete"
LONGEST = 200


@dataclass(frozen=True, slots=True)
class CrowdSettings:
    """What a requester has agreed with a platform."""

    key: str
    """Stands in the address that the platform is given; without it nobody gets in this way."""
    completion_code: str = ""
    """Prolific's, of the study."""


@dataclass(frozen=True, slots=True)
class CrowdPreview:
    """Somebody who only looks at what there is to do, before taking it."""


@dataclass(frozen=True, slots=True)
class CrowdFormPost:
    """A form that the browser posts to the platform."""

    action: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CrowdCode:
    """A code that shows the platform that the work was done, and the address that takes it."""

    code: str
    address: str


class Crowd:
    """Accounts of a platform; there is no password, since the platform says who it is."""

    def __init__(self, database: CollectDatabase, settings: CrowdSettings) -> None:
        self._database = database
        self._settings = settings

    def enter(self, parameters: Mapping[str, str]) -> LoginSession | CrowdPreview:
        """Log in whom a platform sends, by the parameters of the address it opened."""
        sent = parameters.get("key", "").encode("utf-8", "surrogatepass")
        if not self._settings.key or not hmac.compare_digest(self._settings.key.encode(), sent):
            raise RefusedError("no-crowd", "This address is not complete. Ask the requester.")
        if parameters.get("assignmentId") == MTURK_PREVIEW:
            return CrowdPreview()
        if "workerId" in parameters:
            kept = _given(parameters, "assignmentId", "hitId", "workerId", "turkSubmitTo")
            if kept["turkSubmitTo"].rstrip("/") not in MTURK_SITES:
                raise RefusedError("no-crowd", "Mechanical Turk's own address is not in this one.")
            return self._log_in("mturk", kept["workerId"], kept)
        if "PROLIFIC_PID" in parameters:
            kept = _given(parameters, "PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
            return self._log_in("prolific", kept["PROLIFIC_PID"], kept)
        raise RefusedError("no-crowd", "This address names no worker. Open it from the platform.")

    def completion(self, session: LoginSession, receipt: str) -> CrowdFormPost | CrowdCode | None:
        """The way back to the platform after work was handed in; None for our own accounts."""
        sent = session.crowd
        if session.person.platform == "mturk":
            action = f"{sent['turkSubmitTo'].rstrip('/')}/mturk/externalSubmit"
            return CrowdFormPost(action, {"assignmentId": sent["assignmentId"], "receipt": receipt})
        if session.person.platform == "prolific":
            code = self._settings.completion_code
            return CrowdCode(code, f"{PROLIFIC_RETURN}?cc={code}")
        return None

    def _log_in(self, platform: str, name: str, sent: dict[str, str]) -> LoginSession:
        try:
            return self._log_in_once(platform, name, sent)
        except IntegrityError:  # the same person came twice at once: now the account is there
            return self._log_in_once(platform, name, sent)

    def _log_in_once(self, platform: str, name: str, sent: dict[str, str]) -> LoginSession:
        with self._database.begin() as transaction:
            person = _account(transaction, platform, name)
            session = new_session(transaction, person, sent)
            transaction.log("came-from-crowd", person=person.id, about=sent)
            return session


def _account(transaction: CollectTransaction, platform: str, name: str) -> Person:
    theirs = select(PERSON).where(PERSON.c.platform == platform, PERSON.c.folded == name)
    if row := transaction.execute(theirs).first():
        return person_of(row)
    made = transaction.execute(
        insert(PERSON)
        .values(
            platform=platform,
            name=name,
            folded=name,
            role=CollectRole.WORKER,
            created_at=transaction.now,
        )
        .returning(PERSON)
    )
    return person_of(made.one())


def _given(parameters: Mapping[str, str], *names: str) -> dict[str, str]:
    return {
        name: plain_text(parameters.get(name, ""), f"{name} in the address", LONGEST)
        for name in names
    }
