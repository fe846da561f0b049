"""Routes: the tables and entries that everybody sees."""

from __future__ import annotations

import json
from dataclasses import asdict

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse

from lacuna.board.board import Board
from lacuna.board.comparing import ManyCompareError, Tests, compare
from lacuna.board.keeping.log_chain import read_log
from lacuna.board.keeping.submissions import Submission
from lacuna.board.keeping.teams import Team
from lacuna.board.model_card import model_card
from lacuna.board.standings import standings
from lacuna.board.web.pages.board_page import first_page
from lacuna.board.web.pages.entry_page import entry_page
from lacuna.board.web.pages.table_page import compare_page, table_page
from lacuna.board.web.services import AnyTeam, BoardServicesHere
from lacuna.errors import LacunaError
from lacuna.server.refusals import Refusal

router = APIRouter(include_in_schema=False)


@router.get("/")
def tables(services: BoardServicesHere, team: AnyTeam) -> HTMLResponse:
    """All tables."""
    return HTMLResponse(first_page(services.board, team))


@router.get("/tables/{key}")
def one_table(services: BoardServicesHere, team: AnyTeam, key: str) -> HTMLResponse:
    """One table."""
    check_table(services.board, key)
    return HTMLResponse(table_page(services.board, standings(services.board, key), team))


@router.get("/tables/{key}/compare")
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


@router.get("/tables/{key}/questions")
def questions(services: BoardServicesHere, key: str) -> FileResponse:
    """A table's questions without answers."""
    check_table(services.board, key)
    path = services.board.tables.questions_file(key)
    return FileResponse(path, filename=f"{key}-{path.name}")


@router.get("/tables/{key}/datasheet.md")
def datasheet(services: BoardServicesHere, key: str) -> PlainTextResponse:
    """A table's datasheet."""
    check_table(services.board, key)
    return PlainTextResponse(services.board.tables.datasheet(key))


@router.get("/entries/{number}")
def one_entry(services: BoardServicesHere, team: AnyTeam, number: int) -> HTMLResponse:
    """One entry."""
    entry = visible_entry(services.board, number, team)
    return HTMLResponse(entry_page(services.board, entry, team))


@router.get("/entries/{number}/model-card.md")
def card(services: BoardServicesHere, team: AnyTeam, number: int) -> PlainTextResponse:
    """An entry's model card, to be filled in."""
    entry = visible_entry(services.board, number, team)
    if entry.scored is None:
        raise no_entry()
    table = services.board.tables.get(entry.about.table)
    return PlainTextResponse(model_card(table, entry.details()))


@router.get("/log.jsonl")
def log(services: BoardServicesHere) -> PlainTextResponse:
    """The log, a record a line."""
    with services.board.database.read() as connection:
        records = read_log(connection)
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
