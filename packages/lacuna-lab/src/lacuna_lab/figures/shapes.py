"""The shapes of charts: bars, curves, heat maps, and shares within shares."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin
from typing import Any, NamedTuple

from lacuna.errors import needs
from lacuna_lab.figures.charts import BarChart, Branch, HeatMap, LineChart, Sunburst, TreeMap

PAPER, INK, GRID = "#ffffff", "#1c242c", "#d5dae0"
OURS, THEIRS = "#1f5fa8", "#c9d6e4"
CURVES = (
    ("#1f5fa8", "-", "o"),
    ("#b3541e", "--", "s"),
    ("#3b7a3b", ":", "^"),
    ("#5b4a8a", "-.", "D"),
    ("#8a6d00", (0, (5, 1)), "v"),
    ("#5a6472", (0, (1, 1)), "P"),
)
"""Colour, dashes and marks of each curve."""
SHADES = "Blues"
TINTS = ("#9ebfe0", "#e8c39e", "#b9d8b0", "#d3c3e4", "#e6dc9c", "#a9d3d6", "#e5b7b7", "#c8ccd2")
"""Light fills, dark enough for paper and light enough for ink on them."""
SETTINGS = {
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.size": 9,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # a browser takes the second, as wide
    "hatch.linewidth": 0.8,
    "text.parse_math": False,  # a label is a text, even with two dollar signs
    "svg.fonttype": "none",  # words that can be searched and read aloud
    "svg.hashsalt": "lacuna",  # the same figure gives the same bytes
}


def need_matplotlib() -> None:
    """Raise an error, before long work and not after it, where nothing can be drawn."""
    with needs("lab", "--figures"):
        import matplotlib  # noqa: F401


def new_axes(width: float, height: float) -> tuple[Any, Any]:
    """A figure and its axes; no window is ever opened for it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


MANY_LABELS = 8
"""With more labels, or long ones, bars lie."""
LONG_LABEL = 9
ROOM_FOR_LABELS = 55
"""Characters that fit below the bars side by side."""
WIDTH = 6.4


def draw_bars(chart: BarChart) -> Any:
    """A bar for each label, the paper's hatched beside ours."""
    longest = max(map(len, chart.labels))
    if longest > LONG_LABEL and len(chart.labels) > MANY_LABELS // 2:
        return _lying_bars(chart)
    figure, axes = new_axes(WIDTH, 3.6)
    places = range(len(chart.labels))
    if chart.paper is None:
        axes.bar(places, chart.values, 0.75, color=OURS)
    else:
        left, right = ([at + step for at in places] for step in (-0.2, 0.2))
        axes.bar(left, chart.values, 0.38, color=OURS, label="ours")
        style = {"color": THEIRS, "edgecolor": INK, "hatch": "///", "linewidth": 0.8}
        axes.bar(right, chart.paper, 0.38, label="paper", **style)
        axes.legend(facecolor=PAPER, edgecolor=PAPER, framealpha=1)
    crowded = sum(map(len, chart.labels)) > ROOM_FOR_LABELS
    slanted = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    axes.set_xticks(places, chart.labels, **slanted)
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    return figure


def _lying_bars(chart: BarChart) -> Any:
    figure, axes = new_axes(WIDTH, 1.4 + 0.26 * len(chart.labels))
    axes.barh(range(len(chart.labels)), chart.values, color=OURS)
    axes.set_yticks(range(len(chart.labels)), chart.labels)
    axes.invert_yaxis()
    axes.set(title=chart.title, xlabel=chart.y)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    return figure


def draw_lines(chart: LineChart) -> Any:
    """Curves that differ by dashes and marks, too."""
    figure, axes = new_axes(WIDTH, 3.8)
    for (name, curve), (colour, dashes, mark) in zip(chart.curves.items(), CURVES, strict=False):
        known = [(x, y) for x, y in zip(chart.at, curve, strict=True) if y is not None]
        style = {"color": colour, "linestyle": dashes, "marker": mark, "markersize": 5}
        axes.plot([x for x, _ in known], [y for _, y in known], label=name, **style)
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    axes.set_xticks(chart.at, chart.ticks)
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID)
    if chart.curves:
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3)
    return figure


def draw_heat_map(chart: HeatMap) -> Any:
    """Shades from light to dark, with the rounded share in each cell."""
    figure, axes = new_axes(WIDTH, 1.6 + 0.32 * len(chart.rows))
    cells = [[0.0 if value is None else value for value in row] for row in chart.values]
    darkest = chart.darkest or max(map(max, cells)) or 1.0
    image = axes.imshow(cells, cmap=SHADES, vmin=0, vmax=darkest, aspect="auto")
    for down, row in enumerate(chart.values):
        for across, value in enumerate(row):
            if value is not None:
                red, green, blue, _ = image.cmap(image.norm(value))
                dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
                colour = PAPER if dark else INK
                style = {"ha": "center", "va": "center", "fontsize": 7, "color": colour}
                axes.text(across, down, f"{value:.0f}", **style)
    axes.set_xticks(range(len(chart.columns)), chart.columns)
    axes.set_yticks(range(len(chart.rows)), chart.rows)
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, label="%", shrink=0.8)
    return figure


RING = 0.3
"""The breadth of a ring, where the hole and the rings together have the radius 1.1."""
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
    """The length of the thinnest box of a row, compared to its other side."""
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
