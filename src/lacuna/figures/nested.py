"""Tree maps and sunbursts: shares within shares."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin
from typing import Any, NamedTuple

from lacuna.figures.charts import Branch, Sunburst, TreeMap
from lacuna.figures.style import INK, PAPER, TINTS, new_axes

RING = 0.3
"""How broad a ring is, where the hole and the rings together have the radius 1.1."""
HOLE = 0.2
CHARACTER = 0.0125
"""The width of a character, roughly, where the map is 1 wide."""
LINE = 0.0056
"""The height of a line in a sunburst, for each point of its font's size."""
AIR = 1.3
"""So much of a line's height has a label that stands across a ring, to keep clear of the next."""
SMALLEST, LARGEST = 5.5, 9.0
"""Sizes of a readable label, in points."""


class Box(NamedTuple):
    """A rectangle."""

    left: float
    bottom: float
    width: float
    height: float


def boxes(sizes: Sequence[float], box: Box) -> list[Box]:
    """Split a rectangle into ones of these sizes, the largest first, none of them too thin.

    It is the squarified layout: a row along the shorter side takes more boxes as long as that
    makes its worst one squarer.

    >>> [(box.left, box.width) for box in boxes([1, 1], Box(0, 0, 2, 1))]
    [(0, 1.0), (1.0, 1.0)]
    """
    total = sum(sizes)
    if not sizes or not total:
        return []
    area = box.width * box.height
    side = min(box.width, box.height)
    row: list[float] = []
    for size in sizes:
        more = [*row, size * area / total]
        if row and _worst(more, side) > _worst(row, side):
            break
        row = more
    depth = sum(row) / side
    placed, at = [], 0.0
    for part in row:
        extent = part / depth
        if box.width >= box.height:
            placed.append(Box(box.left, box.bottom + at, depth, extent))
        else:
            placed.append(Box(box.left + at, box.bottom, extent, depth))
        at += extent
    if box.width >= box.height:
        rest = Box(box.left + depth, box.bottom, box.width - depth, box.height)
    else:
        rest = Box(box.left, box.bottom + depth, box.width, box.height - depth)
    return placed + boxes(sizes[len(row) :], rest)


def _worst(row: Sequence[float], side: float) -> float:
    """How long the thinnest box of a row is, compared to its other side."""
    depth = sum(row) / side
    return max(max(depth * depth / area, area / (depth * depth)) for area in row)


def draw_tree_map(chart: TreeMap) -> Any:
    """The first words as boxes, what follows them as boxes within."""
    from matplotlib.patches import Rectangle

    figure, axes = new_axes(7.2, 4.6)
    outer = boxes([branch.share for branch in chart.branches], Box(0, 0, 1, 0.62))
    for number, (branch, place) in enumerate(zip(chart.branches, outer, strict=True)):
        tint = TINTS[number % len(TINTS)]
        # Where nothing that follows is frequent, the word itself is the box.
        inner = branch.inner or (Branch("", branch.share),)
        for leaf, box in zip(inner, boxes([leaf.share for leaf in inner], place), strict=True):
            axes.add_patch(Rectangle(box[:2], *box[2:], facecolor=tint, edgecolor=PAPER, lw=0.8))
            _label(axes, box, f"{branch.name} {leaf.name or '…'}")
        axes.add_patch(Rectangle(place[:2], *place[2:], facecolor="none", edgecolor=INK, lw=1.2))
    axes.set(title=chart.title, xlim=(0, 1), ylim=(0, 0.62))
    axes.set_axis_off()
    return figure


def _label(axes: Any, box: Box, text: str) -> None:
    """A label as large as fits its box, upright in a narrow one; none where it is too small."""
    upright = box.height > 1.5 * box.width
    along, across = (box.height, box.width) if upright else (box.width, box.height)
    size = min(11.0, 8.0 * along / (CHARACTER * len(text)), 260 * across)
    if size >= SMALLEST:
        middle = box.left + box.width / 2, box.bottom + box.height / 2
        turned = 90 if upright else 0
        axes.text(*middle, text, ha="center", va="center", fontsize=size, rotation=turned)


def draw_sunburst(chart: Sunburst) -> Any:
    """Rings from the inside to the outside; rare things are empty sectors."""
    figure, axes = new_axes(6.6, 6.9)
    start = 90.0
    for number, branch in enumerate(chart.branches):
        tint = TINTS[number % len(TINTS)] if branch.name else "#eceef1"
        start = _sector(axes, branch, start, 0, tint)
    axes.set(title=chart.title, xlim=(-1.12, 1.12), ylim=(-1.12, 1.12), aspect="equal")
    axes.set_axis_off()
    return figure


def _sector(axes: Any, branch: Branch, start: float, ring: int, tint: str) -> float:
    """Draw a branch clockwise from an angle, and what is around it; gives where it ends."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Wedge

    angle = 3.6 * branch.share
    inner = HOLE + RING * ring
    lighter = [1 - (1 - part) * (1 - 0.28 * ring) for part in to_rgb(tint)]
    style: dict[str, Any] = {
        "width": RING,
        "facecolor": lighter,
        "edgecolor": PAPER,
        "linewidth": 0.8,
    }
    axes.add_patch(Wedge((0, 0), inner + RING, start - angle, start, **style))
    if branch.name:
        _sector_label(axes, branch.name, start - angle / 2, inner + RING / 2, angle)
    at = start
    for leaf in branch.inner:
        at = _sector(axes, leaf, at, ring + 1, tint)
    return start - angle


def _sector_label(axes: Any, text: str, middle: float, radius: float, angle: float) -> None:
    """A label along the ring where it is long enough, else across it; none where it is too thin."""
    turn = middle % 360
    arc = 2 * pi * radius * angle / 360
    wide = 0.58 * LINE * len(text)
    along = arc > LARGEST * wide + 0.04 and angle < 100
    if along:
        size = LARGEST
        rotation = turn - 90 if turn <= 180 else turn + 90
    else:
        size = min(LARGEST, arc / (AIR * LINE), RING / wide)
        rotation = turn if turn <= 90 or turn >= 270 else turn + 180
    if size < SMALLEST:
        return
    place = radius * cos(radians(middle)), radius * sin(radians(middle))
    style = {"ha": "center", "va": "center_baseline", "rotation_mode": "anchor", "fontsize": size}
    axes.text(*place, text, rotation=rotation, **style)
