"""Questions about time, told by their first words."""

from __future__ import annotations

import re
from enum import StrEnum

UNIT = r"(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ie))s?"
SPAN = re.compile(
    rf"(?:(?:for|after|within|over|about) )?how (?:old|long|much time|many {UNIT})\b"
    r"|(?:at )?(?:what|which) age\b"
)
POINT = re.compile(
    rf"when\b|(?:(?:in|on|during|by|since|from|until) )?(?:what|which) "
    rf"(?:{UNIT}|date|season|time|era)\b"
)
TIME_WORDS = 4
"""As many words of a question tell: "for how many years"."""


class TimeQuestion(StrEnum):
    """What a question asks about time."""

    SPAN = "asks for an age or a duration"
    POINT = "asks for a point in time"
    OTHER = "asks for something else"


def time_question(beginning: str) -> TimeQuestion:
    """What a question that begins with these words asks about time.

    >>> time_question("how old was").name, time_question("in what year").name
    ('SPAN', 'POINT')
    >>> time_question("for how many years").name
    'SPAN'
    """
    if SPAN.match(beginning):
        return TimeQuestion.SPAN
    return TimeQuestion.POINT if POINT.match(beginning) else TimeQuestion.OTHER
