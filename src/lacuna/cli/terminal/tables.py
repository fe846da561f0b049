"""Tables that fit a terminal: columns break between words, and none is squeezed to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

AROUND = 3
"""Columns of the terminal that each column of a table takes beside its text; the edge takes one."""


def fitting_widths(columns: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """How wide each column, given as all its cells, is to be; None where the words do not fit.

    A column gets what its longest word needs, and what is left goes to those that want more, the
    narrowest first.

    >>> fitting_widths([["a long title"], ["12"]], 16)
    [7, 2]
    """
    from rich.cells import cell_len

    wanted = [max(map(cell_len, cells), default=0) for cells in columns]
    widths = [
        max((cell_len(word) for cell in cells for word in cell.split()), default=0)
        for cells in columns
    ]
    left = room - sum(widths) - AROUND * len(columns) - 1
    if left < 0:
        return None
    while left and (more := [i for i, width in enumerate(widths) if width < wanted[i]]):
        widths[min(more, key=widths.__getitem__)] += 1
        left -= 1
    return widths


def table_of(columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> Table | None:
    """A table of so many columns of the terminal; None where the words do not fit in one.

    The first column is text, the others are numbers.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [[name, *(row[index] for row in rows)] for index, name in enumerate(columns)]
    widths = fitting_widths(cells, room)
    if widths is None:
        return None
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for index, (column, width) in enumerate(zip(columns, widths, strict=True)):
        table.add_column(column, justify="right" if index else "left", width=width)
    for row in rows:
        table.add_row(*map(Text, row))  # a Text, so that brackets are no markup
    return table


def records_of(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The same below each other: name and value of every cell, an empty pair between rows."""
    pairs: list[tuple[str, str]] = []
    for row in rows:
        pairs += [*zip(columns, row, strict=True), ("", "")]
    return pairs
