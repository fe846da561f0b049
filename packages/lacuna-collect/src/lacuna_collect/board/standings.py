"""A table as it is shown, its entries compared, and the model card of an entry."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import select

from lacuna.errors import LacunaError
from lacuna.metrics.metric import Row
from lacuna.metrics.report import ScoreTable, between, scaled
from lacuna.metrics.statistics import PairedTest, paired_test
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import COMPARISON, shown_time
from lacuna_collect.board.submissions import Submission
from lacuna_collect.board.tables import BoardTable
from lacuna_lab.describe.labelling import as_plain_markdown, blank

TURN = threading.Lock()
"""A test takes a processor for a second or so: one at a time."""
TURN_TIMEOUT_SECONDS = 3.0
"""Seconds to wait for one's turn: whoever waits takes a thread from those who only look."""
Tests = dict[str, PairedTest | None]


class ManyCompareError(LacunaError):
    """Others are being compared; it can be tried again."""


def compare(board: Board, first: Submission, second: Submission) -> Tests:
    """How much higher the first scores than the second, and how likely chance alone does that."""
    table = board.tables.get(first.about.table)
    if second.about.table != first.about.table or first.id == second.id:
        raise LacunaError("Two different entries of one table can be compared. Choose such two.")
    older, newer = sorted((first, second), key=lambda entry: entry.id)
    tests = _kept(board, older, newer)
    if tests is None:
        if not TURN.acquire(timeout=TURN_TIMEOUT_SECONDS):
            raise ManyCompareError(
                "Many entries are being compared just now. Try again in a moment."
            )
        try:
            tests = _kept(board, older, newer)  # while this one waited, another may have made it
            if tests is None:
                tests = _tested(board, older, newer, list(table.floor.scores), table.scale)
                _keep(board, older, newer, tests)
        finally:
            TURN.release()
    way = 1 if first.id == older.id else -1
    return {
        name: test and PairedTest(way * test.difference, test.p_value)
        for name, test in tests.items()
        if name in table.measures
    }


def _kept(board: Board, older: Submission, newer: Submission) -> Tests | None:
    pair = (COMPARISON.c.first == older.id, COMPARISON.c.second == newer.id)
    with board.database.read() as transaction:
        said = transaction.scalar(select(COMPARISON.c.tests).where(*pair))
    if said is None:
        return None
    return {name: None if one is None else PairedTest(**one) for name, one in said.items()}


def _keep(board: Board, older: Submission, newer: Submission, tests: Tests) -> None:
    told = {name: None if test is None else asdict(test) for name, test in tests.items()}
    pair = (COMPARISON.c.first == older.id, COMPARISON.c.second == newer.id)
    with board.database.begin() as transaction:
        if not transaction.change(COMPARISON, *pair, tests=told):
            transaction.add(COMPARISON, first=older.id, second=newer.id, tests=told)


def _tested(
    board: Board, first: Submission, second: Submission, measures: Sequence[str], scale: float
) -> Tests:
    groups, rows = _rows(board, first.id)
    other_groups, other_rows = _rows(board, second.id)
    assert groups == other_groups
    return paired_test(groups, rows, other_rows, measures, scale=scale)


def _rows(board: Board, number: int) -> tuple[list[int], list[Row]]:
    import numpy as np

    with np.load(board.submissions.rows(number), allow_pickle=False) as kept:
        return kept["groups"].tolist(), [tuple(row) for row in kept["rows"].tolist()]


@dataclass(frozen=True, slots=True)
class Standings:
    """The public entries of a table, the best first; equal ones share a rank."""

    table: BoardTable
    entries: tuple[tuple[int, Submission], ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values, as they are exported and given to programs."""
        table = self.table
        return {
            "table": table.key,
            "title": table.title,
            "dataset": table.dataset,
            "setting": table.setting,
            "questions": table.questions,
            "measures": list(table.measures),
            "scale": table.scale,
            "rank_by": table.rank_by,
            "smallest_part": table.smallest_part,
            "added": shown_time(table.added_at),
            "gold_seal": table.gold_seal,
            "human": None if table.human is None else table.human.as_json(),
            "always_abstain": table.floor.as_json(),
            "entries": [{"rank": rank, **entry.details()} for rank, entry in self.entries],
        }


def standings(board: Board, key: str) -> Standings:
    """The table of that key, with its public entries."""
    table = board.tables.get(key)
    entries = [entry for entry in board.submissions.shown() if entry.about.table == key]
    ranked = rank([(entry.details(), entry) for entry in entries], table.rank_by)
    return Standings(table, tuple((place, entry) for place, (_, entry) in ranked))


def rank(
    entries: list[tuple[Mapping[str, Any], Any]], measure: str
) -> list[tuple[int, tuple[Mapping[str, Any], Any]]]:
    """Order entries by a measure, the earlier one first where two are equal."""

    def score(entry: tuple[Mapping[str, Any], Any]) -> float:
        value = entry[0]["scores"].get(measure)
        return float("-inf") if value is None else float(value)

    ordered = sorted(entries, key=lambda entry: (-score(entry), entry[0]["submission"]))
    scores = [score(entry) for entry in ordered]
    return [(scores.index(score(entry)) + 1, entry) for entry in ordered]


def model_card(table: BoardTable, details: Mapping[str, Any]) -> str:
    """The card as Markdown, with the sections of Mitchell et al.'s Model Cards."""
    return f"""# Model card: {as_plain_markdown(details["name"])}

## Model details

- Made by: {as_plain_markdown(details["team"])}
- Sent: {details["sent"]}
- Code: {as_plain_markdown(details["code"]) or blank("where the code is")}
- Parameters: {as_plain_markdown(details["parameters"]) or blank("size, hyperparameters, hardware")}

{as_plain_markdown(details["description"]) or blank("what kind of model it is, and how it answers")}

## Intended use

{blank("what it is for, for whom, and what it should not be used for")}

## Training data

{blank("what it was trained on, and how that was kept apart from these questions")}

## Evaluation

{details["questions"]:,} questions of {table.dataset}, asked in the setting {table.setting},
with the official scorer; the answers are hidden from who sent the predictions.

{scores_table(table, details).to_markdown()}

{kinds_table(table, details).to_markdown()}

## Limitations and risks

{blank("where it fails, whom that may harm, and what was done about it")}
"""


def scores_table(table: BoardTable, details: Mapping[str, Any]) -> ScoreTable:
    """The official scores, beside what a system gets that never answers."""
    percent = 100 / table.scale
    rows = tuple(
        (
            name,
            scaled(details["scores"].get(name), percent),
            between(details["intervals"].get(name), percent),
            scaled(table.floor.scores.get(name), percent),
        )
        for name in table.measures
    )
    return ScoreTable(
        "Official scores, %", ("measure", "score", "95% interval", "always abstain"), rows
    )


def kinds_table(table: BoardTable, details: Mapping[str, Any]) -> ScoreTable:
    """The scores per kind of answer."""
    percent = 100 / table.scale
    told = [name for name in table.measures if name in details["parts"][0]["means"]]
    rows = tuple(
        (
            ", ".join(part["kinds"]),
            part["questions"],
            *(scaled(part["means"].get(name), percent) for name in told),
        )
        for part in details["parts"]
    )
    return ScoreTable("By kind of answer, %", ("kind", "questions", *told), rows)
