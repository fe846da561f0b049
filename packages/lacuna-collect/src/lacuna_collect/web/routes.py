"""The routes of work: pages, tasks, handing in, review, the console, and live dialogs."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode
from xml.etree.ElementTree import Element

from fastapi import APIRouter, Body, FastAPI, Query, Request, WebSocket
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.websockets import WebSocketDisconnect

from lacuna.errors import LacunaError
from lacuna.web.html_tree import STATIC as SHARED
from lacuna.web.html_tree import el, page_text
from lacuna.web.sockets import note_owner
from lacuna_collect.live.hub import LiveConnection, LiveHub
from lacuna_collect.people.accounts import JOIN, CollectRole, LoginSession, Person
from lacuna_collect.people.crowd import CrowdFormPost, CrowdPreview
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import Json
from lacuna_collect.web.services import (
    CROWD_ENTRANCE,
    ArchiveState,
    ARequester,
    AReviewer,
    AsciiJsonResponse,
    AWorker,
    Services,
    Text,
    fields_refused,
    give_cookie,
    services_of,
    session_of,
    stale_refused,
    working_session,
)
from lacuna_collect.work.assigning import MESSAGES
from lacuna_collect.work.assignments import (
    Assigned,
    AssignmentState,
    NoWork,
    NoWorkReason,
    StaleDraft,
)
from lacuna_collect.work.progress import TaskProgress
from lacuna_collect.work.review import ReviewItem
from lacuna_collect.work.work import TaskForWorker

STATIC = Path(__file__).parent / "static"
PLACE = "<!-- instructions -->"
pages_router = APIRouter(include_in_schema=False)


@pages_router.get("/")
def start() -> RedirectResponse:
    """This server has nothing else."""
    return RedirectResponse("/collect/", 303)


@pages_router.get("/collect/live/{task}")
@pages_router.get("/collect/tasks/{task}")
def task_page(request: Request, task: str) -> HTMLResponse:
    """A task's instructions."""
    return HTMLResponse(shell(_instructions(request, task)))


@pages_router.get("/collect/work/{assignment}")
def work_page(request: Request, assignment: int) -> HTMLResponse:
    """The work page, with the instructions of its task."""
    session = session_of(request)
    task = None
    if session is not None:
        with suppress(RefusedError):  # the script says it in words
            task = services_of(request).work.open(session.person.id, assignment).task
    return HTMLResponse(shell(_instructions(request, task)))


@pages_router.get("/collect/")
@pages_router.get("/collect/login")
@pages_router.get("/collect/messages")
@pages_router.get("/collect/earnings")
@pages_router.get("/collect/account")
@pages_router.get("/collect/join/{code}")
@pages_router.get("/collect/console")
@pages_router.get("/collect/console/{page:path}")
def page() -> HTMLResponse:
    """Any other page."""
    return HTMLResponse(shell(""))


@cache
def shell(instructions: str) -> str:
    """The page around what its script shows."""
    return (STATIC / "shell.html").read_text(encoding="utf-8").replace(PLACE, instructions)


def _instructions(request: Request, task: str | None) -> str:
    found = services_of(request).work.tasks.get(task or "")
    return "" if found is None else instructions_of(found.task.instructions)


@cache
def instructions_of(name: str) -> str:
    """A task's instructions, as they stand in the package."""
    return (STATIC / "instructions" / f"{name.removesuffix('.html')}.html").read_text(
        encoding="utf-8"
    )


def add_collect_pages(app: FastAPI) -> None:
    """The pages and what they are made of, all from the package."""
    app.include_router(pages_router)
    app.mount("/collect/static", StaticFiles(directory=STATIC), name="collect-static")
    app.mount("/static", StaticFiles(directory=SHARED), name="static")


# Routes: where Mechanical Turk and Prolific send people.
#
# Mechanical Turk shows the address inside of its own page, where a browser keeps our cookies back.
# So that page shows the instructions and a link that opens the work in a window of its own; when
# it is done, the frame has the form that tells Mechanical Turk.


crowd_router = APIRouter(include_in_schema=False)
ENTER = f"{CROWD_ENTRANCE}/enter"
WAY = "<!-- way -->"
PREVIEW = "This is a preview. Accept the work at the platform; then it can be opened here."
OPEN = "The work opens in a window of its own. When you have handed it in there, come back here."
CROWD_DONE = "You have handed it in. One step is left: tell Mechanical Turk."


@crowd_router.get(CROWD_ENTRANCE)
def entrance(request: Request) -> Response:
    """What a platform opens: the instructions, and the way in or back."""
    sent = dict(request.query_params)
    if "PROLIFIC_PID" in sent:
        return enter(request)
    crowd = services_of(request).crowd
    try:
        if crowd.is_preview(sent):
            return _page(request, note(PREVIEW))
        way_back = crowd.framed_way_back(sent)
    except RefusedError as error:
        return _refused(request, error)
    if isinstance(way_back, CrowdFormPost):
        return _page(request, note(CROWD_DONE), _form(way_back))
    given = urlencode(sent)
    enter_at, look = {"href": f"{ENTER}?{given}"}, {"href": f"{CROWD_ENTRANCE}?{given}"}
    buttons = el(
        "p",
        el("a", "Open the work", class_="as-button", target="_blank", rel="noopener", **enter_at),
        " ",
        el("a", "I have handed it in", class_="as-button", **look),
        class_="buttons",
    )
    return _page(request, note(OPEN), buttons)


@crowd_router.get(ENTER)
def enter(request: Request) -> Response:
    """Log in whom the platform names, and go to the task."""
    sent = dict(request.query_params)
    services = services_of(request)
    try:
        session = services.crowd.enter(sent)
    except RefusedError as error:
        return _refused(request, error)
    if isinstance(session, CrowdPreview):
        return _page(request, note(PREVIEW))
    task = sent.get("task", "")
    is_done = services.crowd.way_back(session) is not None  # the list of tasks shows it
    to = "/collect/" if is_done or task not in services.work.tasks else f"/collect/tasks/{task}"
    response = RedirectResponse(to, 303)
    give_cookie(request, response, session)
    return response


def note(text: str, class_: str = "note") -> Element:
    """What somebody is told."""
    return el("p", text, class_=class_)


def _form(post: CrowdFormPost) -> Element:
    fields = (
        el("input", type="hidden", name=name, value=value) for name, value in post.fields.items()
    )
    button = el("button", "Hand it in at Mechanical Turk", class_="primary", type="submit")
    return el("form", fields, button, method="post", action=post.action)


def _refused(request: Request, error: RefusedError) -> HTMLResponse:
    """In words: it is a person who reads it, not a script."""
    return _page(request, note(str(error), "note problem"), status=403)


def _page(request: Request, *way: Element, status: int = 200) -> HTMLResponse:
    task = services_of(request).work.tasks.get(request.query_params.get("task", ""))
    title = page_text(el("h1", task.task.title if task else "The work"))
    text = instructions_of(task.task.instructions) if task else ""
    page = (STATIC / "crowd.html").read_text(encoding="utf-8").replace("<!-- title -->", title)
    shown = page.replace(PLACE, text).replace(WAY, "".join(map(page_text, way)))
    return HTMLResponse(shown, status)


work_router = APIRouter(prefix="/collect/api")
DONE = (AssignmentState.WAITING, AssignmentState.ACCEPTED, AssignmentState.REJECTED)


class DraftToSave(BaseModel):
    """What somebody has written so far, from which version of it, and the time it took in all."""

    draft: dict[str, Any]
    version: int
    seconds: float


class WorkToSubmit(BaseModel):
    """Finished work; ``key`` is the same for the same work, however often it is sent."""

    work: dict[str, Any]
    key: str = Field(max_length=100)
    seconds: float


class LoopQuestion(BaseModel):
    """A part of the work about which the model in the loop is asked."""

    work: dict[str, Any]
    part: str = Field(max_length=100)


@work_router.get("/tasks")
def tasks(services: Services, person: AWorker) -> list[Json]:
    """The tasks, with what they pay and where this person stands."""
    is_open = services.open_items.by_task(person.id)
    return [
        {
            "name": one.task,
            "title": one.title,
            "pay_cents": one.pay_cents,
            "minutes": services.work.tasks[one.task].settings.minutes,
            "model_in_loop": services.work.tasks[one.task].settings.model_in_loop,
            "is_live": one.task in services.live,
            "open": is_open.get(one.task, 0),
            "done": sum(one.states.get(state, 0) for state in DONE),
            "resume": one.begun,
            "needs_test": one.qualified is None,
            "closed": _closed(one),
        }
        for one in services.work.tasks_for(person.id)
    ]


@work_router.post("/tasks/{task}/next")
def next_work(request: Request, task: str) -> AsciiJsonResponse:
    """What to do next, or why there is nothing."""
    person = working_session(request).person
    found = services_of(request).work.next_number(person.id, task)
    if isinstance(found, NoWork):
        why = {"assignment": None, "reason": found.reason, "message": found.message}
        return AsciiJsonResponse(why)
    return AsciiJsonResponse({"assignment": found})


@work_router.get("/work/{assignment}")
def open_work(request: Request, assignment: int) -> AsciiJsonResponse:
    """An assignment of one's own, as far as one may see it."""
    person, services = working_session(request).person, services_of(request)
    return AsciiJsonResponse(_shown(services, services.work.open(person.id, assignment)))


@work_router.put("/work/{assignment}/draft")
def save(request: Request, assignment: int, given: DraftToSave) -> AsciiJsonResponse:
    """Keep a draft."""
    person, services = working_session(request).person, services_of(request)
    saved = services.work.save(person.id, assignment, given.draft, given.version, given.seconds)
    if isinstance(saved, StaleDraft):
        raise stale_refused(saved)
    return AsciiJsonResponse(
        {
            "version": saved.version,
            "seconds_left": services.seconds_until(saved.expires_at),
            "is_expired": saved.is_expired,
        }
    )


@work_router.post("/work/{assignment}/submit")
def submit(request: Request, assignment: int, given: WorkToSubmit) -> AsciiJsonResponse:
    """Hand work in; the receipt, or what is wrong with it."""
    session, services = working_session(request), services_of(request)
    got = services.work.submit(session.person.id, assignment, given.work, given.key, given.seconds)
    if isinstance(got, list):
        raise fields_refused(got)
    return AsciiJsonResponse(
        {
            "receipt": got.receipt,
            "state": got.state,
            "late": got.late,
            "message": got.message,
            "completion": services.way_back(session, got),
        }
    )


@work_router.post("/work/{assignment}/skip")
def skip(services: Services, person: AWorker, assignment: int, reason: Text = "") -> Json:
    """Give an item back."""
    services.work.skip(person.id, assignment, reason)
    return {}


@work_router.post("/work/{assignment}/report")
def report(services: Services, person: AWorker, assignment: int, text: Text) -> Json:
    """Tell the requester that something is wrong with an item."""
    services.work.report(person.id, assignment, text)
    return {}


@work_router.post("/work/{assignment}/loop")
def ask_model(services: Services, person: AWorker, assignment: int, given: LoopQuestion) -> Json:
    """Ask the model in the loop about a part of the work."""
    return services.loop.ask(person.id, assignment, given.work, given.part)


def _closed(task: TaskForWorker) -> str:
    """Why there is nothing to do, or empty."""
    if task.paused:
        return MESSAGES[NoWorkReason.PAUSED]
    return MESSAGES[NoWorkReason.NOT_QUALIFIED] if task.qualified is False else ""


def _shown(services: Services, assigned: Assigned) -> Json:
    task = services.work.tasks[assigned.task]
    return {
        "assignment": assigned.assignment,
        "task": assigned.task,
        "title": task.task.title,
        "form": task.task.form,
        "state": assigned.state,
        "shown": assigned.shown,
        "draft": assigned.draft,
        "version": assigned.version,
        "seconds": assigned.seconds,
        "seconds_left": services.seconds_until(assigned.expires_at),
        "pay_cents": assigned.pay_cents,
        "returned_reason": assigned.returned_reason,
        "is_test": assigned.is_test,
        "tests_left": assigned.tests_left,
        "model_in_loop": task.settings.model_in_loop and not assigned.is_test,
    }


steps_router = APIRouter(prefix="/collect/api")


class StepAnswer(BaseModel):
    """The answer to one step."""

    number: int
    answer: dict[str, Any]


@steps_router.get("/work/{assignment}/steps")
def steps(services: Services, person: AWorker, assignment: int) -> AsciiJsonResponse:
    """What was answered, and what is asked now."""
    return AsciiJsonResponse(services.work.steps.so_far(person.id, assignment))


@steps_router.post("/work/{assignment}/steps")
def answer(
    services: Services, person: AWorker, assignment: int, given: StepAnswer
) -> AsciiJsonResponse:
    """Answer what is asked now; it cannot be changed afterwards."""
    got = services.work.steps.answer(person.id, assignment, given.number, given.answer)
    if not isinstance(got, dict):
        raise fields_refused(got)
    return AsciiJsonResponse(got)


review_router = APIRouter(prefix="/collect/api/console")


@review_router.get("/queue")
def queue(services: Services, _: AReviewer) -> list[Json]:
    """What waits for a reviewer, oldest first."""
    return [_listed(one) for one in services.work.reviews.queue()]


@review_router.get("/sample")
def sample(
    services: Services, _: AReviewer, count: Annotated[int, Query(ge=1, le=100)] = 10
) -> list[Json]:
    """Accepted work that nobody has looked at, chosen by chance."""
    return [_listed(one) for one in services.work.reviews.inspection_sample(count)]


@review_router.get("/submissions/{submission}")
def look_at(services: Services, _: AReviewer, submission: int) -> Json:
    """One submission, as its worker saw it and with what was written."""
    found = services.work.reviews.look_at(submission)
    task = services.work.tasks[found.task]
    return {
        **_listed(found),
        "title": task.task.title,
        "form": task.task.form,
        "shown": task.task.shown(found.payload, task.settings),
        "work": found.work,
        "loop": found.loop,
    }


@review_router.post("/submissions/{submission}/accept")
def accept(services: Services, reviewer: AReviewer, submission: int) -> Json:
    """Take it as it is."""
    _not_ones_own(services, reviewer, submission)
    services.work.reviews.accept(submission, reviewer=reviewer.id)
    return {}


@review_router.post("/submissions/{submission}/send-back")
def send_back(services: Services, reviewer: AReviewer, submission: int, reason: Text) -> Json:
    """Ask its worker to mend it."""
    services.work.reviews.send_back(submission, reason, reviewer=reviewer.id)
    return {}


@review_router.post("/submissions/{submission}/reject")
def reject(services: Services, reviewer: AReviewer, submission: int, reason: Text) -> Json:
    """Leave it out, and let somebody else do its item."""
    services.work.reviews.reject(submission, reason, reviewer=reviewer.id)
    return {}


@review_router.post("/submissions/{submission}/repair")
def repair(
    services: Services,
    reviewer: AReviewer,
    submission: int,
    work: Annotated[Json, Body(embed=True)],
) -> Json:
    """Take it as the reviewer has mended it."""
    _not_ones_own(services, reviewer, submission)
    problems = services.work.reviews.repair(submission, work, reviewer=reviewer.id)
    if problems:
        raise fields_refused(problems)
    return {}


def _not_ones_own(services: Services, reviewer: Person, submission: int) -> None:
    if reviewer.role is CollectRole.REQUESTER:  # who may work alone on a project
        return
    if services.work.reviews.look_at(submission).person == reviewer.id:
        raise RefusedError("own-work", "This is your own work. Somebody else has to look at it.")


def _listed(item: ReviewItem) -> Json:
    return {
        "submission": item.submission,
        "task": item.task,
        "state": item.state,
        "person": item.person,
        "name": item.name,
        "item_key": item.item_key,
        "seconds": item.seconds,
        "late": item.late,
        "has_place": item.has_place,
        "at": item.at * 1000,
    }


console_router = APIRouter(prefix="/collect/api/console")


class NewInvitation(BaseModel):
    """An invitation to be made."""

    role: CollectRole = CollectRole.WORKER
    uses: int = Field(1, ge=1, le=10_000)
    days: float = Field(14, gt=0, le=3_650)
    note: str = ""


@console_router.get("/overview")
def overview(services: Services, _: AReviewer) -> Json:
    """Progress, throughput, agreement and cost."""
    return {
        "tasks": [_progress(one) for one in services.work.progress.all()],
        "agreement": services.agreement(),
        "waiting": len(services.work.reviews.queue()),
        "reports": len(services.work.reports.all()),
        "unread": sum(services.work.messages.unread_by_requesters().values()),
    }


@console_router.post("/tasks/{task}/pause")
def pause(
    services: Services, requester: ARequester, task: str, paused: Annotated[bool, Body(embed=True)]
) -> Json:
    """Hand out no more of a task, or go on."""
    services.work.progress.pause(task, paused, by=requester.id)
    return {}


@console_router.get("/reports")
def reports(services: Services, _: AReviewer) -> list[Json]:
    """What workers say is wrong with items."""
    return [{**asdict(one), "at": one.at * 1000} for one in services.work.reports.all()]


@console_router.post("/reports/{report}/settle")
def settle(services: Services, _: AReviewer, report: int) -> Json:
    """Note that a report was dealt with."""
    services.work.reports.settle(report)
    return {}


@console_router.get("/invitations")
def invitations(services: Services, _: ARequester) -> list[Json]:
    """Invitations that can still be used; their links are known to those who made them."""
    pending = services.accounts.invitations.pending()
    return [{**asdict(one), "expires_at": one.expires_at * 1000} for one in pending]


@console_router.post("/invitations")
def invite(services: Services, requester: ARequester, given: NewInvitation) -> Json:
    """Make an invitation; its address is shown once."""
    code = services.accounts.invitations.invite(
        given.role, uses=given.uses, days=given.days, note=given.note, by=requester.id
    )
    return {"path": f"{JOIN}{code}"}


@console_router.get("/bonuses")
def bonuses(services: Services, _: ARequester) -> list[Json]:
    """What was earned beside the pay, and not yet entered."""
    return [asdict(one) for one in services.work.bonuses.due()]


@console_router.post("/bonuses")
def pay_bonuses(services: Services, requester: ARequester) -> Json:
    """Enter all of it."""
    return {"paid": len(services.work.bonuses.pay(by=requester.id))}


def _progress(task: TaskProgress) -> Json:
    return {
        **asdict(task),
        "accepted": task.accepted,
        "dollars_per_hour": task.dollars_per_hour,
        "accepted_by_hour": [(at * 1000, count) for at, count in task.accepted_by_hour],
        "cents_by_hour": [(at * 1000, cents) for at, cents in task.cents_by_hour],
    }


export_router = APIRouter(prefix="/collect/api/console/export")


@export_router.post("")
def begin(services: Services, _: ARequester) -> Json:
    """Make the archive of the work as it is now; it is made in the background."""
    services.archive.begin()
    return _shown_archive(services.archive.state())


@export_router.get("")
def state(services: Services, _: ARequester) -> Json:
    """How far it is."""
    return _shown_archive(services.archive.state())


@export_router.get("/file")
def file(services: Services, _: ARequester) -> FileResponse:
    """The archive that was made last."""
    path = services.archive.path
    if path is None:
        raise RefusedError("no-such-export", "Nothing was exported yet. Export it first.")
    return FileResponse(path, filename=f"{services.title}.zip")


def _shown_archive(state: ArchiveState) -> Json:
    return {**asdict(state), "made_at": None if state.made_at is None else state.made_at * 1000}


# Routes: the WebSocket on which two people talk.
#
# A page says hello with the session's secret, and from then on every message of it is looked at
# one after another. What cannot be done is refused in words; nothing is acknowledged before it is
# kept.


live_router = APIRouter()
HELLO_SECONDS = 10.0
NOT_LET_IN, TOO_MUCH = 4003, 4008
TOO_MANY = (
    "You send far more than anybody can say. Wait a few seconds; nothing that was kept is lost."
)


@live_router.websocket("/collect/api/live/{task}")
async def live(socket: WebSocket, task: str) -> None:
    """One person's connection to the dialogs of a task."""
    hub = services_of(socket).live.get(task)
    session = await asyncio.to_thread(session_of, socket)
    connection: LiveConnection | None = None
    try:
        if session is not None:
            note_owner(socket, session.person.id)
        await socket.accept()
        if hub is None or session is None:
            code = "no-such-task" if session else "not-logged-in"
            await _refuse(
                socket, code, "You are not logged in, or there is no such task. Log in again."
            )
            return
        hello = await _hello(socket, session)
        if hello is None:
            return
        connection = LiveConnection(session.person.id, socket, time.monotonic())
        await _handle(hub, connection, hello)
        await _talk(socket, hub, connection)
    except WebSocketDisconnect:
        pass
    finally:
        if hub is not None and connection is not None:
            hub.lost(connection)
            await connection.ended()


async def _hello(socket: WebSocket, session: LoginSession) -> dict[str, Any] | None:
    try:
        said = _message(await asyncio.wait_for(_received(socket), HELLO_SECONDS))
    except TimeoutError:
        said = {}
    if said.get("type") != "hello" or not session.has_csrf(str(said.get("csrf", ""))):
        await _refuse(socket, "no-csrf", "This page is from an earlier log-in. Load it again.")
        return None
    return said


async def _talk(socket: WebSocket, hub: LiveHub, connection: LiveConnection) -> None:
    while True:
        text = await _received(socket)
        if not connection.rate.allows(time.monotonic()):
            connection.send({"type": "refused", "code": "too-many", "message": TOO_MANY})
            connection.close(TOO_MUCH, "too-many")
            await connection.finished()
            return
        await _handle(hub, connection, _message(text))


async def _handle(hub: LiveHub, connection: LiveConnection, said: dict[str, Any]) -> None:
    try:
        match said.get("type"):
            case "hello":
                await hub.hello(connection, said)
            case "wait":
                await hub.wait(connection)
            case "say":
                await hub.say(connection, said)
            case "typing":
                hub.typing(connection)
            case "here":  # a page cannot see the protocol's own pings
                connection.send({"type": "here"})
            case "leave":
                await hub.leave(connection)
            case "report":
                await hub.report(connection, said)
            case _:
                raise RefusedError("bad-message", "This page sent something that is no message.")
    except LacunaError as error:
        code = error.code if isinstance(error, RefusedError) else "database"
        refused = {"type": "refused", "code": code, "message": str(error)}
        connection.send({**refused, "key": said.get("key")})


async def _received(socket: WebSocket) -> str:
    """The next message; of bytes, which no page sends, nothing."""
    try:
        return await socket.receive_text()
    except KeyError:
        return ""
    except RuntimeError as error:  # sending has found out before that nobody is there
        raise WebSocketDisconnect from error


async def _refuse(socket: WebSocket, code: str, message: str) -> None:
    await socket.send_text(json.dumps({"type": "refused", "code": code, "message": message}))
    await socket.close(NOT_LET_IN, code)


def _message(text: str) -> Json:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
