"""Text from questions and documents, made safe for a terminal."""

from __future__ import annotations

import re

UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls: they move the cursor, colour, or rename the window
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # these turn the reading direction of what follows
    "\ud800-\udfff]"  # half surrogates cannot be written at all
)


def safe(text: str) -> str:
    r"""One line without anything that a terminal would obey; each such character becomes "�".

    >>> safe("two\nlines"), safe("a\x1b[31mred")
    ('two lines', 'a�[31mred')
    """
    return UNSEEN.sub("�", " ".join(text.split()))


def safe_same_length(text: str) -> str:
    """The same, but every character keeps its place, so that marks still fit."""
    return UNSEEN.sub("�", re.sub(r"\s", " ", text))
