"""Tables of AsciiDoc: cells begin with ``|``, and the number of columns makes the rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

from lacuna.corpus.formats.asciidoc.block_attributes import BlockAttributes
from lacuna.corpus.pages.table import MOST_ACROSS, MOST_CELLS, Cell, Run

CELL = re.compile(
    r"(?:(?<=\s)|^)(?:(\d+)?(?:\.(\d+))?([+*]))?[<^>]?(?:\.[<^>])?([aehlmsdv])?\||(?<!\\)()()()()\|"
)
MOST_COPIES = 1000
Runs = Callable[[str], list[Run]]
Placed = tuple[Cell, int]


def table_rows(
    lines: list[str], attributes: BlockAttributes, first_line: int, separator: str, runs: Runs
) -> tuple[list[list[Cell]], list[int]]:
    """The rows of a table, and the line on which each begins."""
    kind = attributes.named.get("format", "csv" if separator == "," else "psv")
    delimiter = {"csv": ",", "tsv": "\t", "dsv": ":"}.get(kind, "")
    width = _columns(attributes.named.get("cols", ""))
    if delimiter:
        rows, numbers = _delimited(lines, delimiter, first_line, runs)
    else:
        cells, first_row = _cells(lines, first_line, runs)
        rows, numbers = _rows(cells, width or first_row or 1)
    if rows and _has_header(lines, attributes):
        rows[0] = [Cell(cell.runs, True, cell.across, cell.down) for cell in rows[0]]
    return rows, numbers


def _columns(written: str) -> int:
    """How many columns ``cols`` speaks of: ``"1,2*,a"`` has four."""
    count = 0
    for part in filter(None, re.split(r"[,;]", written)):
        many = re.match(r"\s*(\d{1,4})\*", part)
        count += int(many[1]) if many else 1
    return min(count, MOST_ACROSS)


def _has_header(lines: list[str], attributes: BlockAttributes) -> bool:
    if "header" in attributes.options:
        return True
    if "noheader" in attributes.options:
        return False
    # Without being told: a first row in one line, with an empty line below it.
    return len(lines) > 1 and bool(lines[0].strip()) and not lines[1].strip()


def _delimited(
    lines: list[str], delimiter: str, first_line: int, runs: Runs
) -> tuple[list[list[Cell]], list[int]]:
    rows, numbers = [], []
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            values = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
        except csv.Error:
            values = [line]
        rows.append([Cell(tuple(runs(value))) for value in values])
        numbers.append(first_line + at)
    return rows, numbers


def _cells(lines: list[str], first_line: int, runs: Runs) -> tuple[list[Placed], int]:
    """All cells with their lines, and how many stand in the first line that has some."""
    cells: list[Placed] = []
    text: list[str] = []
    spec: tuple[str, ...] = ()
    begun = first_row = 0

    def finish() -> None:
        if not begun:
            return
        across, down, sign, style = spec
        words = "\n".join(text).strip().replace("\\|", "|")
        copies = min(int(across or 1), MOST_COPIES) if sign == "*" else 1
        cell = Cell(
            tuple(runs(words)),
            style == "h",
            min(int(across or 1), MOST_ACROSS) if sign == "+" else 1,
            min(int(down or 1), MOST_ACROSS) if sign == "+" else 1,
        )
        cells.extend([(cell, begun)] * min(copies, MOST_CELLS - len(cells)))

    for at, line in enumerate(lines):
        if line.startswith("//"):
            continue
        last = 0
        for sign in CELL.finditer(line):
            text.append(line[last : sign.start()])
            finish()
            text, last = [], sign.end()
            begun = first_line + at
            spec = tuple(group or "" for group in sign.groups()[:4])
        text.append(line[last:])
        if not first_row and begun:
            first_row = sum(cell.across for cell, _ in cells) + 1
    finish()
    return cells, first_row


def _rows(cells: list[Placed], width: int) -> tuple[list[list[Cell]], list[int]]:
    """Cells put into rows; those that reach down take room in the rows below."""
    rows: list[list[Cell]] = []
    numbers: list[int] = []
    ends: dict[int, int] = {}  # row -> columns that no cell from above fills any more
    row: list[Cell] = []
    filled = above = starting = 0
    for cell, line in cells:
        if not row:
            numbers.append(line)
        row.append(cell)
        filled += cell.across
        if cell.down > 1:
            starting += cell.across
            ends[len(rows) + cell.down] = ends.get(len(rows) + cell.down, 0) + cell.across
        if filled + above >= width:
            rows.append(row)
            above += starting - ends.pop(len(rows), 0)
            row, filled, starting = [], 0, 0
    if row:
        rows.append(row)
    return rows, numbers
