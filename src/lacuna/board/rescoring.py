"""What only the owner of a board can check: that hidden answers and predictions give the scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lacuna.board.board import Board
from lacuna.board.keeping.log_chain import seal_of_file
from lacuna.board.scoring.scored_file import score_file
from lacuna.board.verify import Verified, entries_of
from lacuna.errors import LacunaError


def rescore_export(folder: Path, board: Board, found: Verified) -> None:
    """Score every exported entry again, and add to what was found."""
    for table in board.tables.all():
        found.count("hidden files")
        seal = seal_of_file(board.tables.salt(table.key), board.tables.gold(table.key))
        if seal != table.gold_seal:
            found.wrong.append(f"the hidden answers of {table.key} are not those it began with")
    for _, details in entries_of(folder):
        found.count("entries scored again")
        number = details["submission"]
        try:
            problem = _differs(board, details)
        except LacunaError as error:
            problem = str(error)
        if problem:
            found.wrong.append(f"entry {number}: {problem}")


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
