"""Tables of Org: lines that begin with ``|``, with rules between them."""

from __future__ import annotations

import re
from collections.abc import Callable

from lacuna.corpus.pages.table import Cell, Run

RULE = re.compile(r"[ \t]*\|-")
ALIGNMENT = re.compile(r"<[lcr]?\d*>")


def is_table_line(line: str) -> bool:
    """Whether a line is a row of a table, or a rule in one."""
    return line.lstrip().startswith("|")


def org_table(
    lines: list[str], first_line: int, runs: Callable[[str], list[Run]]
) -> tuple[list[list[Cell]], list[int]]:
    """The rows with their lines; those above the first rule are the headings."""
    rules = [at for at, line in enumerate(lines) if RULE.match(line)]
    written = [at for at, line in enumerate(lines) if not RULE.match(line)]
    # A rule above the first row only frames the table.
    dividing = next((at for at in rules if written and at > written[0]), len(lines))
    has_headings = any(at > dividing for at in written)
    rows, numbers = [], []
    for at in written:
        values = [value.strip() for value in lines[at].strip().strip("|").split("|")]
        if all(not value or ALIGNMENT.fullmatch(value) for value in values):
            continue
        heading = has_headings and at < dividing
        rows.append([Cell(tuple(runs(value)), heading) for value in values])
        numbers.append(first_line + at)
    return rows, numbers
