"""The whole board as files that anyone can check: nothing hidden, and nothing of who is private.

board.json           the title, when it was exported, and the last sum of the log
log.jsonl            the log, a record a line
tables/KEY/          table.json, table.md, datasheet.md, questions
entries/NUMBER/      entry.json with its salt, model-card.md
index.html           all tables to look at
SHA256SUMS           of every file, for `sha256sum --check`
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lacuna.board.board import Board
from lacuna.board.keeping.log_chain import LogRecord, read_log, shown_time
from lacuna.board.model_card import model_card
from lacuna.board.standings import Standings, standings
from lacuna.board.web.pages.board_page import exported_page
from lacuna.errors import LacunaError
from lacuna.files.sha256_sums import write_sums
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.metrics.score_tables import ScoreTable, between, scaled
from lacuna.server.routes.pages import STATIC

LOOK = ("css/base.css", "css/bar.css", "css/sheet.css", "icon.svg")


def export_board(board: Board, out: Path) -> int:
    """Write a new folder; how many entries it has."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise LacunaError(f"{out} is there already. Give the name of a new folder.")
    tables, log = _at_one_moment(board)
    for shown in tables:
        _write_table(board, shown, out / "tables" / shown.table.key)
        for _, entry in shown.entries:
            place = out / "entries" / str(entry.id)
            write_json(place / "entry.json", {"salt": entry.salt, "details": entry.details()})
            _write_text(place / "model-card.md", model_card(shown.table, entry.details()))
    with replace_text(out / "log.jsonl") as lines:
        lines.writelines(json.dumps(asdict(record)) + "\n" for record in log)
    head = {
        "title": board.settings.title,
        "exported": shown_time(board.database.now()),
        "records": len(log),
        "head": log[-1].sum,
    }
    write_json(out / "board.json", head)
    _write_text(out / "index.html", exported_page(board.settings, tables, log[-1]))
    for name in LOOK:
        _copy(STATIC / name, out / name)
    write_sums(out)
    return sum(len(shown.entries) for shown in tables)


def write_json(path: Path, value: Any) -> None:
    """Write a value so that people can read it, too."""
    _write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def _at_one_moment(board: Board) -> tuple[list[Standings], list[LogRecord]]:
    """All tables, and the log that tells of just these."""
    while True:
        log = _log(board)
        tables = [standings(board, table.key) for table in board.tables.all()]
        if _log(board) == log:
            return tables, log


def _log(board: Board) -> list[LogRecord]:
    with board.database.read() as connection:
        return read_log(connection)


def _write_table(board: Board, shown: Standings, place: Path) -> None:
    key = shown.table.key
    write_json(place / "table.json", shown.as_json())
    _write_text(place / "table.md", table_of(shown).to_markdown() + "\n")
    _write_text(place / "datasheet.md", board.tables.datasheet(key))
    questions = board.tables.questions_file(key)
    _copy(questions, place / questions.name)


def table_of(shown: Standings) -> ScoreTable:
    """A table's entries with what is pinned above them."""
    table = shown.table
    percent = 100 / table.scale

    def cells(scores: Any, intervals: Any) -> tuple[object, ...]:
        return tuple(
            each
            for name in table.measures
            for each in (
                scaled(scores.get(name), percent),
                between(intervals.get(name), percent) or "",
            )
        )

    rows: list[tuple[object, ...]] = []
    if (human := table.human) is not None:
        rows.append(("", "human", f"{human.people} people", *cells(human.measures, {})))
    floor = table.floor
    rows.append(("", "always abstain", "", *cells(floor.scores, floor.intervals)))
    for rank, entry in shown.entries:
        if (scored := entry.scored) is not None:
            numbers = cells(scored.scores, scored.intervals)
            rows.append((rank, entry.about.name, entry.team.name, *numbers))
    columns = [each for name in table.measures for each in (name, "95% interval")]
    return ScoreTable(f"{table.title}, %", ("rank", "name", "team", *columns), tuple(rows))


def _write_text(path: Path, text: str) -> None:
    with replace_text(path) as out:
        out.write(text)


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as read, replace_bytes(target) as out:
        shutil.copyfileobj(read, out)
