"""How all figures look: on paper of their own, so that they read the same on any page.

Nothing is told by colour alone: bars differ by hatching, curves by dashes and marks, boxes by
their labels, and the shades of a heat map go from light to dark.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from lacuna.errors import LacunaError

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
    if find_spec("matplotlib") is None:
        raise LacunaError(
            "Figures are drawn with matplotlib, which is not installed. Install it with: "
            "pip install 'lacuna-qa[figures]', or leave --figures out."
        )


def new_axes(width: float, height: float) -> tuple[Any, Any]:
    """A figure and its axes; no window is ever opened for it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()
