"""Print the parts of a description: tables on a terminal, Markdown elsewhere, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lacuna.datasets.describing.description import DescribedPart
    from lacuna.metrics.score_tables import ScoreTable


def print_parts(head: dict[str, Any], parts: Iterable[DescribedPart], as_json: bool) -> None:
    """Print all parts; one that the files lack a field for says so, and shows the rest."""
    from lacuna.cli.console import print_json, print_table, safe

    if as_json:
        print_json({**head, "parts": {part.name: part.as_json() for part in parts}})
        return
    for part in parts:
        table = _safe_table(part.shown_table())
        notes = [f"Missing: {part.missing}"] if part.missing else []
        notes += [part.note] if part.note else []
        if sys.stdout.isatty():
            print_table(table.title, table.columns, table.rows)
            print("".join(f"{safe(note)}\n" for note in notes))
        else:
            print("\n\n".join((table.to_markdown(), *map(safe, notes))), end="\n\n")


def _safe_table(table: ScoreTable) -> ScoreTable:
    """Words of questions may stand in a table: nothing in them is to be obeyed by a terminal."""
    from lacuna.cli.console import safe

    rows = (
        tuple(safe(value) if isinstance(value, str) else value for value in row)
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))
