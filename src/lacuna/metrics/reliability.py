"""How often answers of about the same confidence are right: a table, and a picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

BINS = 10
SIDE, LEFT, TOP, BELOW, RIGHT = 300, 48, 34, 46, 14
"""Sizes of the picture: the square that is drawn in, and what is around it."""
LARGEST = 11.0
"""Radius of the point of the bin with the most answers."""
STYLE = """
text{font:12px system-ui,sans-serif;fill:#334}
.paper{fill:#fff}.grid{stroke:#dde1e6}.even{stroke:#8894a0;stroke-dasharray:4 4}
.line{fill:none;stroke:#1f5fa8;stroke-width:1.5}.point{fill:#1f5fa8;fill-opacity:.75}
@media (prefers-color-scheme:dark){text{fill:#cfd6de}
.paper{fill:#15191e}.grid{stroke:#2c343d}.even{stroke:#77838f}
.line{stroke:#7db4f0}.point{fill:#7db4f0}}
""".strip()


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of about the same confidence: its mean, the mean of their scores, their number."""

    confidence: float
    right: float
    answers: int


def reliability(
    confidence: ArrayLike, score: ArrayLike, bins: int = BINS
) -> tuple[ReliabilityBin, ...]:
    """Bins of equal width, the least confident first; those without answers are left out.

    >>> reliability([0.75, 0.75, 0.12], [1, 0, 0])
    (ReliabilityBin(confidence=0.12, right=0.0, answers=1), \
ReliabilityBin(confidence=0.75, right=0.5, answers=2))
    """
    confidences, scores = np.asarray(confidence, dtype=float), np.asarray(score, dtype=float)
    bin_of = np.clip((confidences * bins).astype(int), 0, bins - 1)
    return tuple(
        ReliabilityBin(
            float(confidences[bin_of == number].mean()),
            float(scores[bin_of == number].mean()),
            int((bin_of == number).sum()),
        )
        for number in np.unique(bin_of)
    )


def reliability_svg(table: Sequence[ReliabilityBin], title: str = "Reliability") -> str:
    """A picture that needs nothing else, light or dark as its reader likes.

    A point is a bin, the larger the more answers it has. On the dashed line, confidence is what it
    says; below it, it says too much.
    """
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BELOW
    answers = sum(one.answers for one in table)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{escape(title, {chr(34): "&quot;"})}">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text x="{LEFT}" y="20">{escape(title)} ({answers:,} answers)</text>',
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        lines += [
            _line("grid", (share, 0), (share, 1)),
            _line("grid", (0, share), (1, share)),
            f'<text x="{_x(share):.1f}" y="{_y(0) + 17:.1f}" text-anchor="middle">{share:g}</text>',
            f'<text x="{LEFT - 8}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:g}</text>',
        ]
    middle = TOP + SIDE / 2
    lines += [
        f'<text x="{_x(0.5)}" y="{_y(0) + 36:.1f}" text-anchor="middle">confidence</text>',
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">'
        "share right</text>",
        _line("even", (0, 0), (1, 1)),
    ]
    places = [(one.confidence, one.right) for one in table]
    lines += [_line("line", one, other) for one, other in pairwise(places)]
    most = max((one.answers for one in table), default=1)
    for one in table:
        radius = max(2.0, LARGEST * (one.answers / most) ** 0.5)
        told = f"confidence {one.confidence:.2f}: {one.right:.0%} of {one.answers} right"
        lines.append(
            f'<circle class="point" cx="{_x(one.confidence):.1f}" cy="{_y(one.right):.1f}"'
            f' r="{radius:.1f}"><title>{told}</title></circle>'
        )
    return "\n".join((*lines, "</svg>", ""))


def _line(style: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="{style}" x1="{_x(start[0]):.1f}" y1="{_y(start[1]):.1f}"'
        f' x2="{_x(end[0]):.1f}" y2="{_y(end[1]):.1f}"/>'
    )


def _x(share: float) -> float:
    return LEFT + SIDE * share


def _y(share: float) -> float:
    return TOP + SIDE * (1 - share)
