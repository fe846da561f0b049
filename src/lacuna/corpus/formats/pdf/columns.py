"""Reading order: find the columns of a page, and read one after the other.

A gutter is a place that few lines cross. It parts columns of text, and not columns of a table,
where the page draws one side before the other, or where lines fill both sides.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from lacuna.corpus.formats.pdf.lines import Line, joined_lines

FEWEST_LINES = 4
"""On each side of a gutter."""
MOST_SPLITS = 3
"""How often a column may be split again: pages with more than eight columns are none of text."""


def lines_in_order(pieces: list[Line]) -> list[Line]:
    """All lines of a page as one reads them."""
    lines: list[Line] = []
    for number, column in enumerate(_columns(pieces, MOST_SPLITS)):
        lines += joined_lines(column, number)
    return lines


def _columns(pieces: list[Line], splits: int) -> list[list[Line]]:
    gutter = _gutter(pieces) if splits else None
    if gutter is None:
        return [pieces] if pieces else []
    columns: list[list[Line]] = []
    for band, crossing in _bands(pieces, gutter):
        if crossing:
            columns.append(band)
            continue
        left = [piece for piece in band if piece.right <= gutter]
        right = [piece for piece in band if piece.right > gutter]
        columns += _columns(left, splits - 1) + _columns(right, splits - 1)
    return columns


def _bands(pieces: list[Line], gutter: float) -> list[tuple[list[Line], bool]]:
    """The page from top to bottom: what crosses the gutter parts what stands beside it."""
    bands: list[tuple[list[Line], bool]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.top):
        crossing = piece.left < gutter < piece.right
        if not bands or bands[-1][1] != crossing:
            bands.append(([], crossing))
        bands[-1][0].append(piece)
    return bands


def _gutter(pieces: list[Line]) -> float | None:
    if len(pieces) < 2 * FEWEST_LINES:
        return None
    left = min(piece.left for piece in pieces)
    right = max(piece.right for piece in pieces)
    best, least = None, len(pieces) * 0.5
    for crossed, place in _gaps(pieces, left, right):
        if crossed < least and _parts_text(pieces, place):
            best, least = place, crossed
    return best


def _gaps(pieces: list[Line], left: float, right: float) -> list[tuple[int, float]]:
    """Places in the middle of the page, and how many pieces cross each; the emptiest first."""
    step = max(2.0, (right - left) / 200)
    first, last = left + 0.2 * (right - left), right - 0.2 * (right - left)
    size = int((last - first) / step) + 1 if last > first else 0
    changes = [0] * (size + 1)
    for piece in pieces:
        start = max(0, int((piece.left - first) / step) + 1)
        end = min(size, int((piece.right - first) / step) + 1)
        if start < end:
            changes[start] += 1
            changes[end] -= 1
    counts, crossing = [], 0
    for change in changes[:size]:
        crossing += change
        counts.append(crossing)
    runs: list[tuple[int, int, int]] = []  # pieces crossing, first place, last place
    for at, count in enumerate(counts):
        if runs and runs[-1][0] == count:
            runs[-1] = (count, runs[-1][1], at)
        else:
            runs.append((count, at, at))
    lowest = [
        run
        for at, run in enumerate(runs)
        if (at == 0 or runs[at - 1][0] > run[0])
        and (at == len(runs) - 1 or runs[at + 1][0] > run[0])
    ]
    lowest.sort()
    return [(count, first + step * (begin + end) / 2) for count, begin, end in lowest[:8]]


def _parts_text(pieces: list[Line], gutter: float) -> bool:
    sides = [piece.right > gutter for piece in pieces if not piece.left < gutter < piece.right]
    left = [piece for piece in pieces if piece.right <= gutter]
    right = [piece for piece in pieces if piece.left >= gutter]
    if min(len(left), len(right)) < FEWEST_LINES:
        return False
    returns = sum(1 for one, two in pairwise(sides) if one and not two)
    one_after_the_other = returns <= 1 + min(len(left), len(right)) // 10
    return (one_after_the_other and _tall(left) and _tall(right)) or (
        _fills(left) and _fills(right)
    )


def _tall(side: list[Line]) -> bool:
    """Whether there are some lines above each other."""
    size = median(piece.size for piece in side)
    return max(p.top for p in side) - min(p.bottom for p in side) > FEWEST_LINES * size


def _fills(side: list[Line]) -> bool:
    """Whether most lines reach from one end to the other, as those of a text do."""
    width = max(piece.right for piece in side) - min(piece.left for piece in side)
    long = [piece for piece in side if piece.right - piece.left > 0.8 * width]
    return len(long) > 0.5 * len(side) and median(len(p.words) for p in side) >= 4
