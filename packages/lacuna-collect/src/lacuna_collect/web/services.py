"""What the routes of the collecting server work with, and who sends a request."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import Body, Depends, FastAPI, Request, Response
from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse

from lacuna.errors import LacunaError
from lacuna.web.limits import Limits
from lacuna.web.listening import Stopping
from lacuna.web.refusals import Refusal
from lacuna.web.security import HEADERS, POLICY, READS_ONLY
from lacuna.web.sessions import SessionCookie
from lacuna.web.work_queue import WorkQueue
from lacuna_collect.database.engine import CollectDatabase, DatabaseFailedError
from lacuna_collect.database.tables import written_json
from lacuna_collect.live.hub import LiveHub
from lacuna_collect.people.accounts import DAYS, Accounts, CollectRole, LoginSession, Person
from lacuna_collect.people.crowd import MTURK_FRAMES, MTURK_SITES, Crowd
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import FieldProblem, Json
from lacuna_collect.work.assignments import (
    AssignmentState,
    StaleDraft,
    Submitted,
    own_assignment,
    task_in_use,
    with_shared,
)
from lacuna_collect.work.items import OpenItems
from lacuna_collect.work.work import Work

CROWD_ENTRANCE = "/collect/crowd"
SITES = " ".join(MTURK_SITES)
# Log-in forms are sent by scripts; the one form that is posted goes back to Mechanical Turk.
PAGES = {
    **HEADERS,
    "Content-Security-Policy": POLICY.replace("form-action 'none'", f"form-action {SITES}"),
}
# Mechanical Turk shows what it sends people to inside of its own page.
FRAMED = {
    **PAGES,
    "Content-Security-Policy": PAGES["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", f"frame-ancestors {' '.join(MTURK_FRAMES)}"
    ),
    "Cross-Origin-Opener-Policy": "unsafe-none",
}
del FRAMED["X-Frame-Options"]


def collect_headers(path: str) -> Mapping[str, str]:
    """The headers of what is at a path: only the entrance of a crowd may be framed."""
    return FRAMED if path == CROWD_ENTRANCE else PAGES


Value = TypeVar("Value")
SHARE = 60
"""A value is kept for so many times the seconds that it took: a second, then a minute of rest."""


class KeptWhileCostly(Generic[Value]):
    """A value that may be a little old: as old as it is dear."""

    def __init__(
        self, make: Callable[[], Value], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = make
        self._steady = steady
        self._lock = threading.Lock()
        self._kept: tuple[Value, float] | None = None

    def __call__(self) -> Value:
        """The value; who asks while it is being made waits for the same one."""
        with self._lock:
            begun = self._steady()
            if self._kept is not None and begun < self._kept[1]:
                return self._kept[0]
            value = self._make()
            ended = self._steady()
            self._kept = (value, ended + SHARE * (ended - begun))
            return value


WAITING = 8
"""So many may wait for the model; the threads of all others are for saving."""


class AsksModel(Protocol):
    """A task that has something to ask a model."""

    def ask_model(self, reader: Any, payload: Json, work: Json, part: str) -> Json:
        """Ask about a part of the work, and say what that means for the worker."""


class ModelLoop:
    """Asks one at a time: an answer takes all cores for a moment."""

    def __init__(
        self, database: CollectDatabase, work: Work, open_reader: Callable[[], Any]
    ) -> None:
        self._database = database
        self._work = work
        self._open_reader = open_reader
        self._reader: Any = None
        self._queue = WorkQueue(1, WAITING - 1, _loop_is_busy)

    def ask(self, person: int, assignment: int, work: Json, part: str) -> Json:
        """What the model says, which is kept with the assignment."""
        with self._database.read() as transaction:
            row = own_assignment(transaction, person, assignment)
            task = task_in_use(self._work.tasks, row.task)
            payload = with_shared(transaction, task.task, row.payload)
        if not task.settings.model_in_loop or not hasattr(task.task, "ask_model"):
            raise RefusedError("no-loop", "No model reads along in this task.")
        asked = cast(AsksModel, task.task)
        said = self._queue.join(partial(self._said, asked, payload, work, part)).result()
        self._work.remember_loop(person, assignment, part, said)
        return said

    def close(self) -> None:
        """Ask no more."""
        self._queue.close()

    def _said(self, task: AsksModel, payload: Json, work: Json, part: str) -> Json:
        if self._reader is None:
            self._reader = self._open_reader()
        return task.ask_model(self._reader, payload, work, part)


def _loop_is_busy(waiting: int, seconds: int) -> Refusal:
    told = "Many people ask the model at this moment. Ask it again."
    return Refusal(503, "busy", told, {"Retry-After": str(seconds)})


NAME = "dataset.zip"
BROKE_OFF = "The export broke off; the server's log says why."


@dataclass(frozen=True, slots=True)
class ArchiveState:
    """How far the archive is."""

    is_being_made: bool
    seconds: float
    """Since it was begun."""
    files: int
    size: int
    """Bytes of the files so far, or of the archive that is there."""
    made_at: float | None
    """When the archive that is there was made; None where there is none."""
    problem: str
    """Why the last one was not made."""


class DatasetArchive:
    """One at a time: whoever asks while one is being made gets that one."""

    def __init__(
        self, export: Callable[[Path], object], stop: Callable[[], None] = lambda: None
    ) -> None:
        self._export = export
        self._stop = stop
        self._held = tempfile.TemporaryDirectory(prefix="lacuna-export-")
        self._archive = Path(self._held.name) / NAME
        self._files = Path(self._held.name) / "files"
        self._lock = threading.Lock()
        self._begun: float | None = None
        self._made_at: float | None = None
        self._problem = ""

    def begin(self) -> None:
        """Make it of the work as it is now, unless one is being made."""
        with self._lock:
            if self._begun is not None:
                return
            self._begun, self._problem = time.monotonic(), ""
        threading.Thread(target=self._make, name="export", daemon=True).start()

    def state(self) -> ArchiveState:
        """How far it is."""
        with self._lock:
            begun, made_at, problem = self._begun, self._made_at, self._problem
        if begun is not None:
            sizes = _sizes(self._files)
            seconds = time.monotonic() - begun
            return ArchiveState(True, seconds, len(sizes), sum(sizes), made_at, problem)
        size = self._archive.stat().st_size if made_at is not None else 0
        return ArchiveState(False, 0, 0, size, made_at, problem)

    @property
    def path(self) -> Path | None:
        """The archive that was made last."""
        return self._archive if self._made_at is not None else None

    def close(self) -> None:
        """Make no more of it, and remove it."""
        self._stop()
        self._held.cleanup()

    def _make(self) -> None:
        problem = ""
        try:
            self._files.mkdir()
            self._export(self._files)
            made_at = time.time()
            packed = self._archive.with_suffix(".part")
            with ZipFile(packed, "w", ZIP_DEFLATED) as written:
                for path in sorted(self._files.rglob("*")):
                    if path.is_file():
                        written.write(path, path.relative_to(self._files))
            packed.replace(self._archive)  # who is downloading the old one keeps it
            self._made_at = made_at
        except LacunaError as error:
            problem = str(error)
        except Exception:
            logging.getLogger("lacuna").exception("The export broke off.")
            problem = BROKE_OFF
        finally:
            shutil.rmtree(self._files, ignore_errors=True)
            with self._lock:
                self._begun, self._problem = None, problem


def _sizes(folder: Path) -> list[int]:
    """Of the files that are there at this moment; they may be renamed or removed meanwhile."""
    sizes = []
    for place, _, names in os.walk(folder):  # which passes over folders that are gone
        for name in names:
            with suppress(FileNotFoundError):
                sizes.append((Path(place) / name).stat().st_size)
    return sizes


COLLECT_LIMITS = Limits(body=2 << 20)
"""A set of ten long answers is far below it."""
SOCKET_MESSAGE = 32 << 10
"""Bytes of one message on a WebSocket; a question in a dialog is far below it."""


@dataclass(frozen=True, slots=True)
class CollectServices:
    """One of each; made when the app is."""

    title: str
    """What the project is called."""
    database: CollectDatabase
    work: Work
    accounts: Accounts
    crowd: Crowd
    loop: ModelLoop
    open_items: OpenItems
    agreement: Callable[[], Json]
    archive: DatasetArchive
    live: Mapping[str, LiveHub]
    """By the names of the tasks that two people do at once."""
    secure: bool = False
    """Whether cookies are for https alone, even where the server itself cannot see it."""
    limits: Limits = COLLECT_LIMITS
    stopping: Stopping = field(default_factory=lambda: Stopping([]))

    def seconds_until(self, time: float) -> float:
        """How long it is until then by the project's own clock; browsers' clocks may be wrong."""
        return time - self.database.clock.now()

    def unread(self, person: Person) -> int:
        """How many messages wait for a person."""
        return self.work.messages.unread_by_worker(person.id)

    def way_back(self, session: LoginSession, got: Submitted) -> dict[str, Any] | None:
        """The way back to the platform that sent this person, once real work was handed in."""
        if got.state == AssignmentState.TESTED or not session.person.platform:
            return None
        completion = self.crowd.handed_in(session, got.receipt)
        return None if completion is None else asdict(completion)


def services_of(request: HTTPConnection) -> CollectServices:
    """Those of the app that a request came to."""
    services: CollectServices = request.app.state.services
    return services


class AsciiJsonResponse(JSONResponse):
    """JSON in the form in which it is stored."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return written_json(content).encode("ascii")


STATUS = {
    "blocked": 403,
    "wrong-login": 403,
    "no-crowd": 403,
    "not-logged-in": 401,
    "too-many-attempts": 429,
    "busy": 503,
}


class DetailedRefusal(Refusal):
    """A refusal with more than words, which the page shows at its place."""

    def __init__(self, status: int, code: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(status, code, message)
        self.details = dict(details)

    def response(self) -> JSONResponse:
        body = {**self.problem.model_dump(), **self.details}
        return AsciiJsonResponse(body, self.status, self.headers)


def fields_refused(problems: Sequence[FieldProblem]) -> DetailedRefusal:
    """Work that cannot be taken as it is, with a message for each field."""
    named = [{"field": one.field, "message": one.message} for one in problems]
    return DetailedRefusal(
        422, "not-acceptable", "This cannot be handed in yet.", {"problems": named}
    )


def stale_refused(stale: StaleDraft) -> DetailedRefusal:
    """A save from a tab that is behind, with what the other one has saved."""
    return DetailedRefusal(
        409,
        "stale-draft",
        "This work is open in another tab or on another device, and was changed there.",
        {"draft": stale.draft, "version": stale.version},
    )


def not_logged_in() -> Refusal:
    """Somebody without a session, or with one that has ended."""
    return Refusal(401, "not-logged-in", "You are not logged in, or no longer. Log in again.")


def not_allowed() -> Refusal:
    """Somebody whose role is not enough."""
    return Refusal(403, "not-allowed", "This is for other roles than yours.")


def no_csrf() -> Refusal:
    """A change that no page of ours sent."""
    return Refusal(
        403, "no-csrf", "This page is from an earlier log-in. Load it again; nothing was changed."
    )


def shape_refusals(app: FastAPI) -> None:
    """Give what the domain refuses a status and the interface's shape."""

    @app.exception_handler(RefusedError)
    async def refused(_: Request, error: RefusedError) -> JSONResponse:
        status = STATUS.get(error.code, 404 if error.code.startswith("no-such") else 422)
        return Refusal(status, error.code, str(error)).response()

    @app.exception_handler(DatabaseFailedError)
    async def failed(_: Request, error: DatabaseFailedError) -> JSONResponse:
        # Nobody did anything wrong, and it may be over in a moment.
        return Refusal(503, "database", str(error), {"Retry-After": "5"}).response()


CSRF = "x-lacuna-csrf"


COOKIE = SessionCookie("lacuna-collect", "lax", "/collect")


def give_cookie(request: Request, response: Response, session: LoginSession) -> None:
    """Let the browser say from now on who it is."""
    COOKIE.give(request, response, session.token, DAYS * 86_400, secure=services_of(request).secure)


def session_of(request: HTTPConnection) -> LoginSession | None:
    """Who is logged in, if anybody."""
    return services_of(request).accounts.sessions.of(COOKIE.read(request))


def logged_in(request: Request) -> LoginSession:
    """Whoever is logged in; a change has to carry the session's secret."""
    session = session_of(request)
    if session is None:
        raise not_logged_in()
    if request.method not in READS_ONLY and not session.has_csrf(request.headers.get(CSRF, "")):
        raise no_csrf()
    return session


LoggedIn = Annotated[LoginSession, Depends(logged_in)]


def _working(session: LoginSession) -> Person:
    if session.person.is_blocked:
        reason = f" {session.person.blocked_reason}" if session.person.blocked_reason else ""
        raise RefusedError("blocked", f"You cannot work here any more.{reason}")
    return session.person


def working_session(request: Request) -> LoginSession:
    """Of somebody who may work, for what is asked often: looked up in the thread of the route."""
    session = logged_in(request)
    _working(session)
    return session


# These look nothing up: as async functions they take no thread, of which each costs a wait.
async def _services(request: Request) -> CollectServices:
    return services_of(request)


async def _worker(session: LoggedIn) -> Person:
    return _working(session)


async def _reviewer(session: LoggedIn) -> Person:
    return _with_role(session, CollectRole.REVIEWER)


async def _requester(session: LoggedIn) -> Person:
    return _with_role(session, CollectRole.REQUESTER)


def _with_role(session: LoginSession, needed: CollectRole) -> Person:
    if not session.person.role.may(needed):
        raise not_allowed()
    return _working(session)


AWorker = Annotated[Person, Depends(_worker)]
AReviewer = Annotated[Person, Depends(_reviewer)]
ARequester = Annotated[Person, Depends(_requester)]
Services = Annotated[CollectServices, Depends(_services)]
Text = Annotated[str, Body(embed=True)]
"""The one field of what a page sends, by the parameter's name."""
