"""Tables as text: each row a line in which every cell stands with its heading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from lacuna.corpus.page import LinkKind
from lacuna.types import MarkupKind

EMPTY = "–"
"""Stands for a cell without text, so that the others keep their columns."""
BETWEEN_CELLS = " | "
MOST_ACROSS = 1000
MOST_CELLS = 200_000
"""Of a table with spans resolved; beyond it cells stand once, where they are written."""
OFTEN = 3
"""One row in so many leaves its first cell empty where that says: as above."""
LONGEST_LABEL = 80
"""Characters; a longer heading is said once, above the rows, and not in each of them."""
LONGEST_REPEATED = 200
"""Characters of a cell that are said again in the rows below that it reaches into."""


SIGNS = {**dict.fromkeys("✅✓✔☑🗸", "yes"), **dict.fromkeys("❌✗✘✖❎☒", "no")}
VARIATION = "\ufe0e\ufe0f"
"""Follow a sign to choose between its drawings."""
RUNS_OF_SIGN = 5


class Run(NamedTuple):
    """A stretch of text, and where it leads if it is a link."""

    text: str
    target: str = ""
    kind: LinkKind = LinkKind.PATH
    part: MarkupKind | None = None
    """Of a row: whether it is a cell, or the label before it."""
    picture: str = ""
    """The path of a picture that these words stand for, if they do."""


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
Line = tuple[int, tuple[Run, ...]]


@dataclass(slots=True)
class _Place:
    """A cell in one row of the grid, its text worked out once."""

    cell: Cell
    text: str


NOTHING = Cell()
NO_LINKS: Mapping[str, tuple[Run, ...]] = MappingProxyType({})


def table_lines(rows: Sequence[Row]) -> Iterator[Line]:
    """The rows below the headings, each with its number and as runs of text.

    Headings in the middle of a table hold for the rows below them.

    >>> plans = [[Cell((Run(word),), heading=True) for word in ("Plan", "Price")],
    ...          [Cell((Run("Gold"),)), Cell((Run("$20"),))]]
    >>> [(number, "".join(run.text for run in runs)) for number, runs in table_lines(plans)]
    [(1, 'Plan: Gold | Price: $20')]
    """
    said = [[_said(cell) for cell in row] for row in rows]
    grid = _continued(_without_empty_columns(_grid(said)))
    labels: list[str] = []
    headings: list[tuple[int, list[_Place]]] = []
    groups: list[Line] = []  # what stands between the headings and the first row below them
    for number, row in enumerate(grid):
        if not any(place.text for place in row):
            continue
        if _is_group(row):
            groups.append((number, tuple(_runs(row[:1], []))))
        elif _all_headings(row) and not (headings and groups):
            headings.append((number, row))
        else:
            links: dict[str, tuple[Run, ...]] = {}
            if headings:
                labels = _labels([row for _, row in headings])
                links = _links([row for _, row in headings])
            if not any(labels):
                yield from ((at, tuple(_runs(row, []))) for at, row in headings)
            yield from groups
            headings, groups = [], []
            yield number, tuple(_runs(row, labels, links))
            continue
        if not headings:
            yield from groups
            groups = []
    # Headings with nothing below them are all there is to read.
    yield from ((number, tuple(_runs(row, []))) for number, row in headings)
    yield from groups


def _said(cell: Cell) -> Cell:
    """A cell that has only a check or a cross, in a word."""
    word = SIGNS.get(cell.text.rstrip(VARIATION)) if len(cell.runs) <= RUNS_OF_SIGN else None
    if word is None:
        return cell
    signed = next(run for run in cell.runs if run.text.strip())
    return replace(cell, runs=(signed._replace(text=word),))


def _grid(rows: Sequence[Row]) -> list[list[_Place]]:
    """The cells that stand in each place, with those that reach across or down repeated."""
    grid: list[list[_Place]] = []
    reaching: dict[int, tuple[_Place, int]] = {}  # column -> a cell from above, and for how long
    room = MOST_CELLS
    for row in rows:
        if room <= 0:
            grid.append([_Place(cell, cell.text) for cell in row])
            continue
        placed: list[_Place] = []
        waiting = list(reversed(row))
        furthest = max(reaching, default=-1)
        while waiting or len(placed) <= furthest:
            column = len(placed)
            if column in reaching:
                place, left = reaching.pop(column)
                if left > 1:
                    reaching[column] = (place, left - 1)
                placed.append(place)
            elif waiting:
                _put(waiting.pop(), placed, reaching)
            else:
                placed.append(_Place(NOTHING, ""))
            room -= len(placed) - column
        grid.append(placed)
    return grid


def _put(cell: Cell, placed: list[_Place], reaching: dict[int, tuple[_Place, int]]) -> None:
    text = cell.text
    place = below = _Place(cell, text)
    if cell.down > 1 and len(text) > LONGEST_REPEATED:
        shorter = f"{text[:LONGEST_REPEATED]}…"
        below = _Place(Cell((Run(shorter),), cell.heading), shorter)
    for at in range(len(placed), len(placed) + max(1, min(cell.across, MOST_ACROSS))):
        if cell.down > 1:
            reaching[at] = (below, cell.down - 1)
        placed.append(place)


def _without_empty_columns(grid: list[list[_Place]]) -> list[list[_Place]]:
    """Columns that only make room say nothing, also where a heading of rows reaches over them."""
    width = max(map(len, grid), default=0)
    rows = [row for row in grid if not _is_over_all(row)]
    filled = {column for row in rows for column, place in enumerate(row) if place.text}
    groups = [row for row in grid if _is_over_all(row) and row[0].text]
    if any(filled.isdisjoint(range(len(row))) for row in groups):
        filled.add(0)
    if len(filled) == width:
        return grid
    return [[place for column, place in enumerate(row) if column in filled] for row in grid]


def _continued(grid: list[list[_Place]]) -> list[list[_Place]]:
    """Rows that go on with the one above: where many leave their first cells empty, what was
    written once stands over all of them."""
    rows = [row for row in grid if len(row) > 1 and not _is_group(row) and not _all_headings(row)]
    empty = sum(not row[0].text for row in rows)
    headed = any(_all_headings(row) for row in grid)
    if not headed or OFTEN * empty < len(rows) or empty == len(rows):
        return grid
    known = {id(row) for row in rows}
    continued: list[list[_Place]] = []
    above: list[_Place] = []
    for row in grid:
        if id(row) in known:
            first = next((at for at, place in enumerate(row) if place.text), 0)
            row = above[:first] + row[len(above[:first]) :]
            above = row
        else:
            above = []
        continued.append(row)
    return continued


def _all_headings(row: list[_Place]) -> bool:
    return all(place.cell.heading for place in row)


def _is_group(row: list[_Place]) -> bool:
    """Tell if a row is a heading of those below: over all columns, or alone in several."""
    if _is_over_all(row):
        return True
    alone = len(row) > 2 and bool(row[0].text) and not any(place.text for place in row[1:])
    return alone and not _all_headings(row)


def _is_over_all(row: list[_Place]) -> bool:
    """Tell if one cell reaches over the whole width: it is a heading of the rows, not a label."""
    return len(row) > 1 and all(place is row[0] for place in row)


def _labels(rows: list[list[_Place]]) -> list[str]:
    """The heading above each column; nothing where that would be too much to say in each row."""
    width = max(map(len, rows))
    if width == 1:
        return []
    labels = []
    for column in range(width):
        above = [row[column].text for row in rows if column < len(row) and row[column].text]
        labels.append(" › ".join(dict.fromkeys(above)))
    return labels if max(map(len, labels)) <= LONGEST_LABEL else []


def _links(rows: list[list[_Place]]) -> dict[str, tuple[Run, ...]]:
    """The headings with links, by their text: the first row below them keeps the links."""
    return {
        place.text: place.cell.runs
        for row in rows
        for place in row
        if place.text and any(run.target for run in place.cell.runs)
    }


def _runs(
    row: list[_Place], labels: list[str], links: Mapping[str, tuple[Run, ...]] = NO_LINKS
) -> Iterator[Run]:
    # Without labels the row's own heading goes before the rest of it.
    headed = not labels and len(row) > 1 and row[0].cell.heading and not row[1].cell.heading
    between = ""
    row = row + [_Place(NOTHING, "") for _ in labels[len(row) :]]
    while len(row) > 1 and not row[-1].text and not any(labels[len(row) - 1 :]):
        row = row[:-1]
    for _, group in groupby(enumerate(row), key=lambda numbered: id(numbered[1])):
        columns = list(group)
        first, place = columns[0]
        if between:
            yield Run(between)
        between = _colon(place.text) if headed and first == 0 else BETWEEN_CELLS
        names = [labels[at] for at, _ in columns if at < len(labels) and labels[at]]
        if label := ", ".join(dict.fromkeys(names)):
            yield from _trimmed(links.get(label, (Run(label),)), MarkupKind.LABEL)
            yield Run(_colon(label))
        yield from _trimmed(place.cell.runs if place.text else (Run(EMPTY),), MarkupKind.CELL)


def _trimmed(runs: tuple[Run, ...], part: MarkupKind) -> Iterator[Run]:
    """The runs of a part without the space behind them."""
    last = max(at for at, run in enumerate(runs) if run.text.strip())
    yield from (run._replace(part=part) for run in runs[:last])
    yield runs[last]._replace(text=runs[last].text.rstrip(), part=part)


def _colon(label: str) -> str:
    return " " if label.endswith((":", "?")) else ": "
