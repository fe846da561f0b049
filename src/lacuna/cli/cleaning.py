"""Text of questions, documents and file names, without anything that a terminal would obey.

Everything that is printed goes through one of these: ``console.py`` sees to it, and a test to that.
"""

from __future__ import annotations

import re

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls: they move the cursor, colour, or rename the window
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # these turn the reading direction of what follows
    "\ud800-\udfff]"  # half surrogates cannot be written at all
)
STAND_IN = "�"
LINE_ENDS = re.compile("\r\n?")
KEPT = "\n\t"


def safe(text: str) -> str:
    r"""One line without anything that a terminal would obey; each such character becomes "�".

    >>> safe("two\nlines"), safe("a\x1b[31mred")
    ('two lines', 'a�[31mred')
    """
    return UNSAFE.sub(STAND_IN, " ".join(text.split()))


def safe_same_length(text: str) -> str:
    """The same, but every character keeps its place, so that marks still fit."""
    return UNSAFE.sub(STAND_IN, re.sub(r"\s", " ", text))


def safe_lines(text: str) -> str:
    r"""The same, but lines and tabs stay.

    >>> safe_lines("two\r\nlines\x07")
    'two\nlines�'
    """
    return UNSAFE.sub(_unless_kept, LINE_ENDS.sub("\n", text))


def safe_json(written: str) -> str:
    r"""JSON that says the same, with what a terminal would obey written as an escape.

    >>> safe_json('"a\x9b2J"')
    '"a\\u009b2J"'
    """
    return UNSAFE.sub(_escaped, written)


def _unless_kept(found: re.Match[str]) -> str:
    return found[0] if found[0] in KEPT else STAND_IN


def _escaped(found: re.Match[str]) -> str:
    # JSON itself has controls below this between its values only, as line ends.
    return found[0] if found[0] < "\x7f" else f"\\u{ord(found[0]):04x}"
