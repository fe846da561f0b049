"""Tables as text: each row a line in which every cell stands with its heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from lacuna.corpus.pages.page import LinkKind

EMPTY = "–"
"""Stands for a cell without text, so that the others keep their columns."""
BETWEEN_CELLS = " | "
MOST_ACROSS = 1000
MOST_CELLS = 200_000
"""Of a table with spans resolved; what a hostile table has beyond it is left out."""


class Run(NamedTuple):
    """A stretch of text, and where it leads if it is a link."""

    text: str
    target: str = ""
    kind: LinkKind = LinkKind.PATH


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as it is written: ``across`` columns and ``down`` rows."""

    runs: tuple[Run, ...] = ()
    heading: bool = False
    across: int = 1
    down: int = 1

    @property
    def text(self) -> str:
        """Its words in one line."""
        return " ".join("".join(run.text for run in self.runs).split())


Row = Sequence[Cell]


def table_lines(rows: Sequence[Row]) -> Iterator[tuple[int, tuple[Run, ...]]]:
    """The rows below the headings, each with its number and as runs of text.

    >>> plans = [[Cell((Run(word),), heading=True) for word in ("Plan", "Price")],
    ...          [Cell((Run("Gold"),)), Cell((Run("$20"),))]]
    >>> [(number, "".join(run.text for run in runs)) for number, runs in table_lines(plans)]
    [(1, 'Plan: Gold | Price: $20')]
    """
    grid = _grid(rows)
    first = next((at for at, row in enumerate(grid) if not _is_heading(row)), len(grid))
    if first == len(grid):  # headings alone: they are all there is to read
        first = 0
    labels = _column_labels([row for row in grid[:first] if not _is_over_all(row)])
    for number, row in enumerate(grid):
        is_label = number < first and not _is_over_all(row)
        if not is_label and any(cell.text for cell in row):
            yield number, tuple(_runs(row, labels if number >= first else []))


def _grid(rows: Sequence[Row]) -> list[list[Cell]]:
    """The cells that stand in each place, with those that reach across or down repeated."""
    grid: list[list[Cell]] = []
    reaching: dict[int, tuple[Cell, int]] = {}  # column -> a cell from above, and for how long
    room = MOST_CELLS
    for row in rows:
        placed: list[Cell] = []
        waiting = list(reversed(row))
        furthest = max(reaching, default=-1)
        while (waiting or len(placed) <= furthest) and room > 0:
            column = len(placed)
            if column in reaching:
                cell, left = reaching.pop(column)
                if left > 1:
                    reaching[column] = (cell, left - 1)
                placed.append(cell)
            elif waiting:
                cell = waiting.pop()
                for at in range(column, column + max(1, min(cell.across, MOST_ACROSS))):
                    if cell.down > 1:
                        reaching[at] = (cell, cell.down - 1)
                    placed.append(cell)
                    room -= 1
                continue
            else:
                placed.append(Cell())
            room -= 1
        grid.append(placed)
    return grid


def _is_heading(row: list[Cell]) -> bool:
    return bool(row) and all(cell.heading for cell in row)


def _is_over_all(row: list[Cell]) -> bool:
    """Whether one cell reaches over the whole width: it is a heading of the table, not a label."""
    return len(row) > 1 and len({id(cell) for cell in row}) == 1


def _column_labels(rows: list[list[Cell]]) -> list[str]:
    width = max(map(len, rows), default=0)
    labels = []
    for column in range(width):
        above = [row[column].text for row in rows if column < len(row) and row[column].text]
        labels.append(" › ".join(dict.fromkeys(above)))
    return labels


def _runs(row: list[Cell], labels: list[str]) -> Iterator[Run]:
    # Without labels the row's own heading goes before the rest of it.
    headed = not labels and len(row) > 1 and row[0].heading and not row[1].heading
    between = ""
    for _, group in groupby(enumerate(row), key=lambda place: id(place[1])):
        columns = list(group)
        first, cell = columns[0]
        if between:
            yield Run(between)
        between = ": " if headed and first == 0 else BETWEEN_CELLS
        names = [labels[at] for at, _ in columns if at < len(labels) and labels[at]]
        if label := ", ".join(dict.fromkeys(names)):
            yield Run(f"{label}: ")
        yield from cell.runs if cell.text else (Run(EMPTY),)
