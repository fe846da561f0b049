"""The board's app: its routes, for people and programs, and how it runs."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Depends, FastAPI, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import FormData, UploadFile

from lacuna.errors import LacunaError
from lacuna.version import __version__
from lacuna.web.access import Access, AllowedHosts
from lacuna.web.html_tree import STATIC
from lacuna.web.limits import MB, Limits
from lacuna.web.listening import Stopping, listen, run_app
from lacuna.web.refusals import Refusal
from lacuna.web.security import API, HEADERS, POLICY, Guard, shape_errors
from lacuna.web.sessions import SessionCookie, tokens_sent
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import plain_line, plain_text, shown_time, web_address
from lacuna_collect.board.pages import (
    compare_page,
    entry_page,
    first_page,
    login_page,
    submit_page,
    table_page,
    team_page,
)
from lacuna_collect.board.scoring import ScoringQueue
from lacuna_collect.board.standings import ManyCompareError, Tests, compare, model_card, standings
from lacuna_collect.board.submissions import (
    SentEnoughError,
    Submission,
    SubmissionAbout,
    Team,
    keep_predictions,
)

AT_ONCE = 4
"""Files that arrive at the same time; others wait for their turn."""


@dataclass(frozen=True, slots=True)
class BoardServices:
    """One of each; made when the app is."""

    board: Board
    queue: ScoringQueue
    secure: bool = False
    """Whether cookies are for https alone, even where the server itself cannot see it."""
    limits: Limits = field(init=False)
    stopping: Stopping = field(default_factory=lambda: Stopping([]))
    arriving: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    def __post_init__(self) -> None:
        # A little more than the file: what the team says of it comes along.
        limits = Limits(upload=(self.board.settings.upload_mb + 1) * MB)
        object.__setattr__(self, "limits", limits)


async def board_services(request: Request) -> BoardServices:
    """Those of the app that a request came to."""
    services: BoardServices = request.app.state.services
    return services


BoardServicesHere = Annotated[BoardServices, Depends(board_services)]


COOKIE = SessionCookie("lacuna-board")


def team_of(request: Request) -> Team | None:
    """Who sends a request: by a key in its header or its cookie."""
    services: BoardServices = request.app.state.services
    key = next(tokens_sent(request, COOKIE), "")
    return services.board.teams.with_key(key) if key else None


AnyTeam = Annotated[Team | None, Depends(team_of)]


FIELDS = ("table", "name", "description", "code", "parameters", "shown")
LONGEST_NAME, LONGEST_TEXT = 80, 4_000
LARGEST_FIELD = 64 << 10
"""Bytes of a field that is no file."""


async def read_form(request: Request, services: BoardServices) -> FormData:
    """What was sent; its file is streamed to the disk as it comes."""
    async with services.arriving:
        return await request.form(max_files=1, max_fields=len(FIELDS), max_part_size=LARGEST_FIELD)


def given_fields(form: FormData) -> dict[str, str]:
    """The fields that are texts."""
    fields = ((name, form.get(name)) for name in FIELDS)
    return {name: value for name, value in fields if isinstance(value, str)}


async def take_in(services: BoardServices, team: Team, form: FormData) -> Submission:
    """Queue what was sent, or refuse it."""
    sent = form.get("predictions")
    if not isinstance(sent, UploadFile):
        raise LacunaError("There is no file of predictions. Choose one.")
    board = services.board
    queued = await run_in_threadpool(_queued, board, team, given_fields(form), sent.file)
    services.queue.wake()
    return queued


def described(board: Board, given: Mapping[str, str]) -> SubmissionAbout:
    """What a team says of a submission, checked."""
    shown = given.get("shown", "public")
    if shown not in ("public", "private"):
        raise LacunaError("Who sees it is public or private. Choose one.")
    return SubmissionAbout(
        table=board.tables.get(given.get("table", "")).key,
        name=plain_line(given.get("name", ""), "The name of the system", LONGEST_NAME),
        description=plain_text(given.get("description", ""), "The description", LONGEST_TEXT),
        code=web_address(given.get("code", ""), "The code"),
        parameters=plain_text(given.get("parameters", ""), "The parameters", LONGEST_TEXT),
        is_public=shown == "public",
    )


def _queued(board: Board, team: Team, given: Mapping[str, str], file: BinaryIO) -> Submission:
    about = described(board, given)
    with tempfile.NamedTemporaryFile(dir=board.folder / "arriving", delete=False) as made:
        place = Path(made.name)
    try:
        file_sum = keep_predictions(file, place, board.settings.unpacked_mb)
        return board.submissions.take_in(team, about, place, file_sum)
    finally:
        place.unlink(missing_ok=True)  # it was moved where all went well


tables_router = APIRouter(include_in_schema=False)


@tables_router.get("/")
def tables(services: BoardServicesHere, team: AnyTeam) -> HTMLResponse:
    """All tables."""
    return HTMLResponse(first_page(services.board, team))


@tables_router.get("/tables/{key}")
def one_table(services: BoardServicesHere, team: AnyTeam, key: str) -> HTMLResponse:
    """One table."""
    check_table(services.board, key)
    return HTMLResponse(table_page(services.board, standings(services.board, key), team))


@tables_router.get("/tables/{key}/compare")
def two_entries(
    services: BoardServicesHere, team: AnyTeam, key: str, first: int, second: int
) -> HTMLResponse:
    """Two entries of a table, with a paired test."""
    board = services.board
    check_table(board, key)
    shown = standings(board, key)
    by_number = {entry.id: entry for _, entry in shown.entries}
    pair: tuple[Submission, Submission] | None = None
    tests: Tests = {}
    problem = ""
    try:
        if first not in by_number or second not in by_number:
            raise LacunaError("One of these is no public entry of this table. Choose two that are.")
        tests = compare(board, by_number[first], by_number[second])
        pair = by_number[first], by_number[second]
    except ManyCompareError as error:
        raise Refusal(503, "busy", str(error), {"Retry-After": "5"}) from error
    except LacunaError as error:
        problem = str(error)
    if len(by_number) < 2:
        raise Refusal(404, "no-entries", "This table has no two entries to compare yet.")
    page = compare_page(board, shown, pair, tests, problem, team)
    return HTMLResponse(page, 422 if problem else 200)


@tables_router.get("/tables/{key}/questions")
def questions(services: BoardServicesHere, key: str) -> FileResponse:
    """A table's questions without answers."""
    check_table(services.board, key)
    path = services.board.tables.questions_file(key)
    return FileResponse(path, filename=f"{key}-{path.name}")


@tables_router.get("/tables/{key}/datasheet.md")
def datasheet(services: BoardServicesHere, key: str) -> PlainTextResponse:
    """A table's datasheet."""
    check_table(services.board, key)
    return PlainTextResponse(services.board.tables.datasheet(key))


@tables_router.get("/entries/{number}")
def one_entry(services: BoardServicesHere, team: AnyTeam, number: int) -> HTMLResponse:
    """One entry."""
    entry = visible_entry(services.board, number, team)
    return HTMLResponse(entry_page(services.board, entry, team))


@tables_router.get("/entries/{number}/model-card.md")
def card(services: BoardServicesHere, team: AnyTeam, number: int) -> PlainTextResponse:
    """An entry's model card, to be filled in."""
    entry = visible_entry(services.board, number, team)
    if entry.scored is None:
        raise no_entry()
    table = services.board.tables.get(entry.about.table)
    return PlainTextResponse(model_card(table, entry.details()))


@tables_router.get("/log.jsonl")
def log(services: BoardServicesHere) -> PlainTextResponse:
    """The log, a record a line."""
    with services.board.database.read() as transaction:
        records = transaction.records()
    return PlainTextResponse("".join(json.dumps(asdict(record)) + "\n" for record in records))


def check_table(board: Board, key: str) -> None:
    """Refuse an address that no table has."""
    if not any(table.key == key for table in board.tables.all()):
        raise Refusal(404, "no-table", "There is no such table on this board.")


def visible_entry(board: Board, number: int, team: Team | None) -> Submission:
    """An entry that everybody may see, or the team that asks for it."""
    try:
        entry = board.submissions.get(number)
    except LacunaError as error:
        raise no_entry() from error
    if not entry.is_shown and (team is None or team.id != entry.team.id):
        raise no_entry()  # in the same words: a private one is not told of
    return entry


def no_entry() -> Refusal:
    """An address that no entry has, or none that may be seen."""
    return Refusal(404, "no-entry", "There is no such entry, or it is not public.")


SUBMISSIONS = f"{API}/submissions"
interface_router = APIRouter()


@interface_router.get(f"{API}/tables")
def tables_as_json(services: BoardServicesHere) -> list[dict[str, Any]]:
    """All tables with their public entries."""
    return [standings(services.board, one.key).as_json() for one in services.board.tables.all()]


@interface_router.get(f"{API}/tables/{{key}}")
def table_as_json(services: BoardServicesHere, key: str) -> dict[str, Any]:
    """One table with its public entries."""
    check_table(services.board, key)
    return standings(services.board, key).as_json()


@interface_router.post(SUBMISSIONS, status_code=202)
async def submit_by_program(
    request: Request, services: BoardServicesHere, team: AnyTeam
) -> dict[str, Any]:
    """Predictions as a form with a file; who has no key has none of it read."""
    if team is None:
        raise Refusal(
            401,
            "no-key",
            "Sending predictions takes a team's key. Send it as `Authorization: Bearer KEY`.",
            {"WWW-Authenticate": "Bearer"},
        )
    sent = await read_form(request, services)
    try:
        return as_json(await take_in(services, team, sent))
    except SentEnoughError as error:
        raise Refusal(429, "sent-enough", str(error)) from error
    finally:
        await sent.close()


@interface_router.get(f"{SUBMISSIONS}/{{number}}")
def one_submission(services: BoardServicesHere, team: AnyTeam, number: int) -> dict[str, Any]:
    """What became of a submission."""
    return as_json(visible_entry(services.board, number, team))


def as_json(entry: Submission) -> dict[str, Any]:
    """A submission as its team sees it."""
    return {
        "submission": entry.id,
        "table": entry.about.table,
        "name": entry.about.name,
        "state": str(entry.state),
        "public": entry.about.is_public,
        "problem": entry.problem,
        "sent": shown_time(entry.sent_at),
        "scores": None if entry.scored is None else entry.scored.as_json(),
    }


DAYS = 30
SUBMIT = "/submit"
teams_router = APIRouter(include_in_schema=False)


@teams_router.get("/login")
def login(services: BoardServicesHere) -> HTMLResponse:
    """The way in."""
    return HTMLResponse(login_page(services.board))


@teams_router.post("/login")
def log_in(
    request: Request, services: BoardServicesHere, key: Annotated[str, Form()] = ""
) -> Response:
    """Let a browser remember a team's key; no script can read it and no other site can use it."""
    if services.board.teams.with_key(key.strip()) is None:
        problem = "This is no team's key. Copy it whole, as you were given it."
        return HTMLResponse(login_page(services.board, problem), 403)
    response = _to("/team")
    COOKIE.give(request, response, key.strip(), DAYS * 86_400, secure=services.secure)
    return response


@teams_router.post("/logout")
def log_out(request: Request) -> Response:
    """Let a browser forget it."""
    response = _to("/")
    COOKIE.take_back(request, response)
    return response


@teams_router.get("/team")
def own(services: BoardServicesHere, team: AnyTeam) -> Response:
    """What a team has sent."""
    if team is None:
        return _to("/login")
    return HTMLResponse(team_page(services.board, team, services.board.submissions.of_team(team)))


@teams_router.get(SUBMIT)
def form(services: BoardServicesHere, team: AnyTeam) -> Response:
    """The form."""
    if team is None:
        return _to("/login")
    return HTMLResponse(submit_page(services.board, team, {}))


@teams_router.post(SUBMIT)
async def submit(request: Request, services: BoardServicesHere, team: AnyTeam) -> Response:
    """Predictions from the form; whoever is not logged in has none of it read."""
    if team is None:
        return _to("/login")
    sent = await read_form(request, services)
    try:
        queued = await take_in(services, team, sent)
    except LacunaError as error:
        status = 429 if isinstance(error, SentEnoughError) else 422
        page = submit_page(services.board, team, given_fields(sent), str(error))
        return HTMLResponse(page, status)
    finally:
        await sent.close()
    return _to(f"/entries/{queued.id}")


@teams_router.post("/entries/{number}/public")
def show(services: BoardServicesHere, team: AnyTeam, number: int) -> Response:
    """Let everybody see an entry."""
    return _shown(services, team, number, is_public=True)


@teams_router.post("/entries/{number}/private")
def hide(services: BoardServicesHere, team: AnyTeam, number: int) -> Response:
    """Let only its team see it."""
    return _shown(services, team, number, is_public=False)


def _shown(
    services: BoardServicesHere, team: Team | None, number: int, *, is_public: bool
) -> Response:
    entry = visible_entry(services.board, number, team)
    if team is None or entry.team.id != team.id:
        raise no_entry()
    services.board.submissions.show(number, is_public)
    return _to(f"/entries/{number}")


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303)


# No page has a script, and forms are sent by the browser itself.
PAGES: Mapping[str, str] = {
    **HEADERS,
    "Content-Security-Policy": POLICY.replace("form-action 'none'", "form-action 'self'")
    .replace("script-src 'self'", "script-src 'none'")
    .replace("connect-src 'self'", "connect-src 'none'"),
    # Under no-referrer, browsers do not say that a form comes from this very site.
    "Referrer-Policy": "same-origin",
}


def make_board_app(services: BoardServices, hosts: AllowedHosts) -> FastAPI:
    """The app over a board; everybody may look, and teams send with their keys."""

    @asynccontextmanager
    async def while_served(_: FastAPI) -> AsyncIterator[None]:
        services.queue.start()
        yield
        services.queue.close()

    app = FastAPI(
        title="Lacuna board",
        summary="Systems compared by hidden answers.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=while_served,
    )
    app.state.services = services
    for router in (interface_router, tables_router, teams_router):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    shape_errors(app)
    app.add_middleware(
        Guard,
        access=Access(hosts=hosts),
        limits=services.limits,
        stopping=services.stopping,
        headers_of=lambda _: PAGES,
        uploads=(SUBMIT, SUBMISSIONS),
    )
    return app


def run_board_server(
    board: Board,
    *,
    host: str,
    port: int,
    hosts: AllowedHosts,
    secure: bool,
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when the board can be opened."""
    with board.served_alone(), listen(host, port) as listening:
        services = BoardServices(board, ScoringQueue(board), secure)
        app = make_board_app(services, hosts)
        run_app(listening, host, app, ready)
