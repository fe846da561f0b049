"""Print the parts of a description: tables on a terminal, Markdown elsewhere, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lacuna.datasets.describing.description import DescribedPart


def print_parts(head: dict[str, Any], parts: Iterable[DescribedPart], as_json: bool) -> None:
    """Print all parts; one that the files lack a field for says so, and shows the rest."""
    from lacuna.cli.console import print_json, print_table

    if as_json:
        print_json({**head, "parts": {part.name: part.as_json() for part in parts}})
        return
    for part in map(_safe_part, parts):
        if sys.stdout.isatty():
            table = part.shown_table()
            print_table(table.title, table.columns, table.rows)
            print("".join(f"{remark}\n" for remark in part.remarks()))
        else:
            print(part.to_markdown(), end="\n\n")


def _safe_part(part: DescribedPart) -> DescribedPart:
    """Words of questions may stand in a table: nothing in them is to be obeyed by a terminal."""
    from lacuna.cli.console import safe

    rows = (
        tuple(safe(value) if isinstance(value, str) else value for value in row)
        for row in part.table.rows
    )
    return replace(part, table=replace(part.table, rows=tuple(rows)))
