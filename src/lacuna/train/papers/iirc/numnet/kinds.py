"""The ways in which NumNet+ answers; the last two are IIRC's."""

from __future__ import annotations

from enum import IntEnum


class AnswerWay(IntEnum):
    """Numbered as the network's scores are."""

    SPAN = 0
    QUESTION_SPAN = 1
    SPANS = 2
    COUNT = 3
    ARITHMETIC = 4
    BINARY = 5
    NONE = 6


COUNTS = 10
"""From none to nine things can be counted."""
SIGNS = (0, 1, -1)
"""What a number's three scores stand for: left out, added, subtracted."""
OUTSIDE, BEGINS, INSIDE = range(3)
"""What a piece's three scores stand for, where an answer has several spans."""
BINARY = ("yes", "no")
"""What the two scores of the binary head stand for."""
UNKNOWN = -1
"""The label of a way that does not give the answer."""
