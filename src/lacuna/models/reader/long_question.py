"""Which part of a question is read where all of it is more than the model reads."""

from __future__ import annotations

import re
from collections.abc import Callable

SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")


def part_that_fits(question: str, fits: Callable[[str], bool]) -> str:
    """The last sentence that asks; where none does, as many from the end as fit.

    What else is told beside a question leads the model astray more often than it helps. Of a
    sentence that is too long by itself, the beginning: that is where it says what is asked.

    >>> part_that_fits("It is red. Who built it? I wonder.", lambda text: len(text) < 20)
    'Who built it?'
    >>> part_that_fits("Who built the ship that sank?", lambda text: len(text) < 15)
    'Who built the'
    """
    if fits(question):
        return question
    sentences = SENTENCE_END.split(question.strip())
    part = next((one for one in reversed(sentences) if one.endswith("?")), None)
    if part is None:
        part = sentences.pop()
        while sentences and fits(f"{sentences[-1]} {part}"):
            part = f"{sentences.pop()} {part}"
    return part if fits(part) else _beginning(part, fits)


def _beginning(text: str, fits: Callable[[str], bool]) -> str:
    """As many characters as fit, and whole words where there are any."""
    fitting, too_many = 1, len(text)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if fits(text[:middle]):
            fitting = middle
        else:
            too_many = middle
    words = text[: fitting + 1].rpartition(" ")[0]
    return words or text[:fitting]
