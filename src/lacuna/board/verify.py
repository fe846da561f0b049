"""Check an exported board: what anyone can, and with the board's folder what only its owner can."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isclose
from pathlib import Path
from typing import Any

from lacuna.board.keeping.log_chain import LogRecord, broken_at, seal_of
from lacuna.board.scoring.kind_parts import TOLD_TO
from lacuna.board.standings import rank
from lacuna.errors import LacunaError
from lacuna.files.sha256_sums import differences, read_sums

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
        log = _log(folder)
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


def _log(folder: Path) -> list[LogRecord]:
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
