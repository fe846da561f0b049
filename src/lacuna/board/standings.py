"""A table as it is shown: the entries in their order, with what is pinned beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.board.board import Board
from lacuna.board.keeping.board_tables import BoardTable
from lacuna.board.keeping.log_chain import shown_time
from lacuna.board.keeping.submissions import Submission


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
