"""The content of figures, as plain data: it can be counted, tested and printed without a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Curve = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Branch:
    """A share of everything, in %, and the shares it is made of.

    What is too rare to be shown by itself is put together in a last branch with the name "".
    """

    name: str
    share: float
    inner: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class BarChart:
    """A bar for each label; ``paper`` has the paper's values of the same bars, if it gives any."""

    title: str
    x: str
    y: str
    labels: Sequence[str]
    values: Sequence[float]
    paper: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class LineChart:
    """Curves over the same x; a curve may have gaps. ``ticks`` are the names of the places of x,
    where they are no numbers."""

    title: str
    x: str
    y: str
    at: Sequence[float]
    curves: Mapping[str, Curve]
    ticks: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix of shares in %, a row for each of ``rows``; None where nothing was counted.

    The darkest shade means ``darkest`` %, so that several maps can share a scale; without it, the
    largest share.
    """

    title: str
    x: str
    y: str
    columns: Sequence[str]
    rows: Sequence[str]
    values: Sequence[Curve]
    darkest: float | None = None


@dataclass(frozen=True, slots=True)
class TreeMap:
    """Boxes within boxes, as large as their share; two levels are drawn."""

    title: str
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Sunburst:
    """Rings around rings: each holds what follows the one within it."""

    title: str
    branches: tuple[Branch, ...]


Chart = BarChart | LineChart | HeatMap | TreeMap | Sunburst


def chart_json(chart: Chart) -> dict[str, Any]:
    """A chart as plain data; ``kind`` says which it is."""
    return {"kind": type(chart).__name__, **asdict(chart)}
