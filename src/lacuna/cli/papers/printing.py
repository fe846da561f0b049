"""Print the parts of a description: tables on a terminal, Markdown elsewhere, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lacuna.datasets.describing.description import DescribedPart


def print_parts(head: dict[str, Any], parts: Iterable[DescribedPart], as_json: bool) -> None:
    """Print all parts; one that the files lack a field for says so, and shows the rest."""
    from lacuna.cli.console import print_json, print_table, say

    if as_json:
        print_json({**head, "parts": {part.name: part.as_json() for part in parts}})
        return
    for part in parts:
        if sys.stdout.isatty():
            table = part.shown_table()
            print_table(table.title, table.columns, table.rows)
            say("".join(f"{remark}\n" for remark in part.remarks()))
        else:
            say(f"{part.to_markdown()}\n")
