"""Is one entry better than another? A paired test over the hidden questions, kept once made."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict

from lacuna.board.board import Board
from lacuna.board.keeping.submissions import Submission
from lacuna.errors import LacunaError
from lacuna.metrics.metric import Row
from lacuna.metrics.paired_test import PairedTest, paired_test

TURN = threading.Lock()
"""A test takes a processor for a second or so: one at a time."""
PATIENCE = 3.0
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
        if not TURN.acquire(timeout=PATIENCE):
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
    with board.database.read() as connection:
        kept = connection.execute(
            "SELECT tests FROM comparison WHERE first = ? AND second = ?", (older.id, newer.id)
        ).fetchone()
    if kept is None:
        return None
    said = json.loads(kept["tests"])
    return {name: None if one is None else PairedTest(**one) for name, one in said.items()}


def _keep(board: Board, older: Submission, newer: Submission, tests: Tests) -> None:
    told = {name: None if test is None else asdict(test) for name, test in tests.items()}
    with board.database.write() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO comparison VALUES (?, ?, ?)",
            (older.id, newer.id, json.dumps(told)),
        )


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
