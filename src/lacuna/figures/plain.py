"""Bars, curves and heat maps."""

from __future__ import annotations

from typing import Any

from lacuna.figures.charts import BarChart, HeatMap, LineChart
from lacuna.figures.style import CURVES, GRID, INK, OURS, PAPER, SHADES, THEIRS, new_axes

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
