"""What only the owner of a board can check: that hidden answers and predictions give the scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lacuna.board.board import Board
from lacuna.board.keeping.log_chain import seal_of_file
from lacuna.board.scoring.scored_file import HiddenFileDamagedError, score_file
from lacuna.board.verify import OTHER_FORM, Verified, entry_files, entry_in
from lacuna.errors import LacunaError


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
