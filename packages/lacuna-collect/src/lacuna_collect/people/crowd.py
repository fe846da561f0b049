"""People whom Mechanical Turk or Prolific sends, and the way back to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from lacuna.web.sessions import is_same
from lacuna_collect.database.engine import CollectDatabase, CollectTransaction
from lacuna_collect.database.tables import LOGIN, PERSON
from lacuna_collect.people.accounts import LoginSession, Person, new_person, new_session, person_of
from lacuna_collect.refused import RefusedError, plain_text

MTURK_SITES = ("https://www.mturk.com", "https://workersandbox.mturk.com")
"""Where results are posted to; any other address would carry them off."""
MTURK_FRAMES = ("https://worker.mturk.com", *MTURK_SITES)
"""Whose pages show ours in a frame."""
MTURK_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete"
LONGEST = 200
RECEIPT = "receipt"
"""Beside what the platform sent: of the work that was handed in for it."""


@dataclass(frozen=True, slots=True)
class CrowdSettings:
    """What a requester has agreed with a platform."""

    key: str = ""
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


WayBack = CrowdFormPost | CrowdCode


class Crowd:
    """Accounts of a platform; there is no password, since the platform says who it is."""

    def __init__(self, database: CollectDatabase, settings: CrowdSettings) -> None:
        self._database = database
        self._settings = settings

    def enter(self, parameters: Mapping[str, str]) -> LoginSession | CrowdPreview:
        """Log in whom a platform sends, by the parameters of the address it opened."""
        if self.is_preview(parameters):
            return CrowdPreview()
        return self._log_in(*self._visit(parameters))

    def is_preview(self, parameters: Mapping[str, str]) -> bool:
        """Whether somebody only looks; an address without the project's key is refused."""
        if not self._settings.key or not is_same(parameters.get("key", ""), self._settings.key):
            raise RefusedError("no-crowd", "This address is not complete. Ask the requester.")
        return parameters.get("assignmentId") == MTURK_PREVIEW

    def handed_in(self, session: LoginSession, receipt: str) -> WayBack | None:
        """Note that work was handed in; the way back, or None for our own accounts."""
        if not session.person.platform:
            return None
        crowd = {**session.crowd, RECEIPT: receipt}
        with self._database.begin() as transaction:
            transaction.change(LOGIN, LOGIN.c.id == session.id, crowd=crowd)
        return self._way_back(session.person.platform, crowd)

    def way_back(self, session: LoginSession) -> WayBack | None:
        """The way back to the platform, for somebody who has handed in what it sent them for."""
        return self._way_back(session.person.platform, session.crowd)

    def framed_way_back(self, parameters: Mapping[str, str]) -> WayBack | None:
        """The same inside of the platform's frame, where nobody is logged in."""
        platform, name, sent = self._visit(parameters)
        with self._database.read() as transaction:
            return self._way_back(platform, {**sent, **_receipt(transaction, platform, name, sent)})

    def _way_back(self, platform: str, crowd: Mapping[str, str]) -> WayBack | None:
        if RECEIPT not in crowd:
            return None
        if platform == "mturk":
            action = f"{crowd['turkSubmitTo'].rstrip('/')}/mturk/externalSubmit"
            return CrowdFormPost(action, {name: crowd[name] for name in ("assignmentId", RECEIPT)})
        code = self._settings.completion_code
        return CrowdCode(code, f"{PROLIFIC_RETURN}?{urlencode({'cc': code})}")

    def _visit(self, parameters: Mapping[str, str]) -> tuple[str, str, dict[str, str]]:
        """The platform, whom it sends, and what it sends along."""
        if "workerId" in parameters:
            kept = _given(parameters, "assignmentId", "hitId", "workerId", "turkSubmitTo")
            if kept["turkSubmitTo"].rstrip("/") not in MTURK_SITES:
                raise RefusedError("no-crowd", "Mechanical Turk's own address is not in this one.")
            return "mturk", kept["workerId"], kept
        if "PROLIFIC_PID" in parameters:
            if not self._settings.completion_code:
                raise RefusedError(
                    "no-crowd",
                    "This study cannot be done yet: it has no completion code. Tell the requester "
                    "to put it into project.toml, as completion_code, and to start the server "
                    "again.",
                )
            kept = _given(parameters, "PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
            return "prolific", kept["PROLIFIC_PID"], kept
        raise RefusedError("no-crowd", "This address names no worker. Open it from the platform.")

    def _log_in(self, platform: str, name: str, sent: dict[str, str]) -> LoginSession:
        try:
            return self._log_in_once(platform, name, sent)
        except IntegrityError:  # the same person came twice at once: now the account is there
            return self._log_in_once(platform, name, sent)

    def _log_in_once(self, platform: str, name: str, sent: dict[str, str]) -> LoginSession:
        with self._database.begin() as transaction:
            person = _account(transaction, platform, name)
            # Whoever opens the address once more, with the work done, still needs the way back.
            kept = {**sent, **_receipt(transaction, platform, name, sent)}
            session = new_session(transaction, person, kept)
            transaction.log("came-from-crowd", person=person.id, about=sent)
            return session


def _account(transaction: CollectTransaction, platform: str, name: str) -> Person:
    theirs = select(PERSON).where(PERSON.c.platform == platform, PERSON.c.folded == name)
    if row := transaction.execute(theirs).first():
        return person_of(row)
    return new_person(transaction, name, name, platform=platform)


def _receipt(
    transaction: CollectTransaction, platform: str, name: str, sent: Mapping[str, str]
) -> dict[str, str]:
    """The receipt of what was handed in on an earlier log-in for the same; empty if nothing was."""
    logins = transaction.execute(
        select(LOGIN.c.crowd)
        .join(PERSON, PERSON.c.id == LOGIN.c.person)
        .where(PERSON.c.platform == platform, PERSON.c.folded == name)
    ).scalars()
    for crowd in logins:
        if RECEIPT in crowd and {**crowd, **sent} == crowd:
            return {RECEIPT: crowd[RECEIPT]}
    return {}


def _given(parameters: Mapping[str, str], *names: str) -> dict[str, str]:
    return {
        name: plain_text(parameters.get(name, ""), f"{name} in the address", LONGEST)
        for name in names
    }
