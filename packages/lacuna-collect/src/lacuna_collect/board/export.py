"""The whole board as files that anyone can check, and the check."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import isclose
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.files.checksums import differences, read_sums, write_sums
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.metrics.report import ScoreTable, between, scaled
from lacuna.web.html_tree import write_look
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import (
    LogRecord,
    broken_at,
    seal_of,
    seal_of_file,
    shown_time,
)
from lacuna_collect.board.pages import exported_page
from lacuna_collect.board.scored_file import TOLD_TO, HiddenFileDamagedError, score_file
from lacuna_collect.board.standings import Standings, model_card, rank, standings


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
        "exported": shown_time(board.database.clock.now()),
        "records": len(log),
        "head": log[-1].sum,
    }
    write_json(out / "board.json", head)
    _write_text(out / "index.html", exported_page(board.settings, tables, log[-1]))
    write_look(out)
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
    with board.database.read() as transaction:
        return transaction.records()


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
    for place, entry in shown.entries:
        if (scored := entry.scored) is not None:
            numbers = cells(scored.scores, scored.intervals)
            rows.append((place, entry.about.name, entry.team.name, *numbers))
    columns = [each for name in table.measures for each in (name, "95% interval")]
    return ScoreTable(f"{table.title}, %", ("rank", "name", "team", *columns), tuple(rows))


def _write_text(path: Path, text: str) -> None:
    with replace_text(path) as out:
        out.write(text)


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as read, replace_bytes(target) as out:
        shutil.copyfileobj(read, out)


ROUNDED_TWICE = 1.001 * TOLD_TO
"""Of a perfect score: the parts are rounded, and so is the whole."""
OTHER_FORM = (KeyError, TypeError, ValueError, AttributeError)
"""What comes of reading a file that is none of a board's."""


@dataclass(slots=True)
class Verified:
    """What was checked, how often, and what was found wrong."""

    checked: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, what: str, number: int = 1) -> None:
        """So many more of these were looked at."""
        self.checked[what] = self.checked.get(what, 0) + number


def verify_export(folder: Path, *, head: str | None = None) -> Verified:
    """Check all that the files alone can show."""
    found = Verified()
    try:
        found.count("files", len(read_sums(folder)))
        found.wrong += differences(folder)
        log = _verified_log(folder)
        found.wrong += _chain(folder, log, head, found)
        tables = [_read(path) for path in sorted((folder / "tables").glob("*/table.json"))]
        found.wrong += _entries(folder, log, tables, found)
        for table in tables:
            found.wrong += _table(folder, log, table, found)
    except OTHER_FORM as error:
        found.wrong.append(f"a file is not of the form that a board exports ({error!r})")
    return found


def entry_files(folder: Path) -> list[Path]:
    """The file of each exported entry."""
    return sorted((folder / "entries").glob("*/entry.json"))


def entry_in(path: Path) -> tuple[str, Mapping[str, Any]]:
    """The salt and the details of an entry."""
    said = _read(path)
    return said["salt"], said["details"]


def _verified_log(folder: Path) -> list[LogRecord]:
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [LogRecord(**json.loads(line)) for line in lines]


def _chain(folder: Path, log: list[LogRecord], head: str | None, found: Verified) -> Iterator[str]:
    found.count("records of the log", len(log))
    if (number := broken_at(log)) is not None:
        yield f"record {number} of the log is not what was written"
    said = _read(folder / "board.json")
    if not log or said["head"] != log[-1].sum or said["records"] != len(log):
        yield "board.json names another end of the log"
    if head is not None and head not in [record.sum for record in log]:
        yield f"no record of the log has the sum {head}: the past is not what it was"


def _entries(
    folder: Path, log: list[LogRecord], tables: list[Mapping[str, Any]], found: Verified
) -> Iterator[str]:
    """Whether entries are what was sealed, and those that the log calls public are all there."""
    scored = {r.about["submission"]: r.about for r in log if r.kind == "scored"}
    public = {number: about["public"] for number, about in scored.items()}
    withdrawn = {r.about["submission"] for r in log if r.kind == "withdrawn"}
    for record in log:
        if record.kind == "shown" and (number := record.about["submission"]) in public:
            public[number] = record.about["public"]
    there = {}
    for salt, details in map(entry_in, entry_files(folder)):
        number = details["submission"]
        there[number] = details
        found.count("entries")
        if number not in scored or seal_of(salt, details) != scored[number]["seal"]:
            yield f"entry {number} is not what was sealed when it was scored"
    wanted = {number for number, is_public in public.items() if is_public} - withdrawn
    yield from (f"entry {number} is missing" for number in sorted(wanted - set(there)))
    yield from (f"entry {number} is not public" for number in sorted(set(there) - wanted))
    listed = {}
    for table in tables:
        for entry in table["entries"]:
            listed[entry["submission"]] = {k: v for k, v in entry.items() if k != "rank"}
    if listed != there:
        yield "the tables do not list the very entries that are there"


def _table(
    folder: Path, log: list[LogRecord], table: Mapping[str, Any], found: Verified
) -> Iterator[str]:
    key = table["table"]
    found.count("tables")
    logged = [r.about for r in log if r.kind == "table" and r.about["table"] == key]
    floor = table["always_abstain"]
    same = ("dataset", "setting", "title", "measures", "rank_by", "scale", "smallest_part")
    expected = {name: table[name] for name in same}
    expected |= {"gold": table["gold_seal"], "floor": floor}
    if [{name: about[name] for name in expected} for about in logged] != [expected]:
        yield f"table {key} is not the one that the log tells of"
    rows = [r.about["row"] for r in log if r.kind == "human" and r.about["table"] == key]
    if table["human"] != (rows[-1] if rows else None):
        yield f"the human row of {key} is not the one that the log tells of"
    ranked = rank([(entry, None) for entry in table["entries"]], table["rank_by"])
    if [(e["rank"], e["submission"]) for e in table["entries"]] != [
        (place, entry["submission"]) for place, (entry, _) in ranked
    ]:
        yield f"the entries of {key} are not in the order of {table['rank_by']}"
    for what, scored in [("the floor", floor)] + [
        (f"entry {entry['submission']}", entry) for entry in table["entries"]
    ]:
        for measure in _not_following(scored, table["scale"], found):
            yield f"{measure} of {what} in {key} does not follow from its parts"


def _not_following(scored: Mapping[str, Any], scale: float, found: Verified) -> Iterator[str]:
    """Measures whose official score is not the mean of the parts, or lies beyond its interval."""
    parts = scored["parts"]
    if sum(part["questions"] for part in parts) != scored["questions"]:
        yield "the number of questions"
    for measure, value in scored["scores"].items():
        pairs = [(part["counted"].get(measure, 0), part["means"].get(measure)) for part in parts]
        counting = [(number, mean) for number, mean in pairs if number]
        if value is None or not counting or any(mean is None for _, mean in counting):
            found.count("scores that the parts cannot show")
            continue
        found.count("scores that follow from their parts")
        total = sum(number * mean for number, mean in counting)
        whole = sum(number for number, _ in counting)
        if not isclose(total / whole, value, abs_tol=ROUNDED_TWICE * scale):
            yield measure


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LacunaError(f"{path} cannot be read: {error.strerror or error}.") from error


def rescore_export(folder: Path, board: Board, found: Verified) -> None:
    """Score every exported entry again, and add to what was found."""
    for table in board.tables.all():
        found.count("hidden files")
        seal = seal_of_file(board.tables.salt(table.key), board.tables.gold(table.key))
        if seal != table.gold_seal:
            found.wrong.append(f"the hidden answers of {table.key} are not those it began with")
    for path in entry_files(folder):
        found.count("entries scored again")
        try:
            problem = _differs(board, entry_in(path)[1])
        except HiddenFileDamagedError:
            problem = "the answers that it is scored by cannot be read"
        except OTHER_FORM as error:
            problem = f"it is not of the form that a board exports ({error!r})"
        except (LacunaError, OSError) as error:
            problem = str(error)
        if problem:
            found.wrong.append(f"entry {path.parent.name}: {problem}")


def _differs(board: Board, details: Mapping[str, Any]) -> str:
    number, table = details["submission"], board.tables.get(details["table"])
    predictions = board.submissions.predictions(number)
    if seal_of_file("", predictions) != details["predictions_sha256"]:
        return "its predictions are not those that were sent"
    gold = board.tables.gold(table.key)
    scored, _ = score_file(table.dataset, gold, predictions, table.smallest_part)
    again = json.loads(json.dumps(scored.as_json()))
    wrong = [name for name, value in again.items() if value != details[name]]
    return f"scored again, its {', '.join(wrong)} are others" if wrong else ""
