"""What people write about themselves: text of a bounded length, and addresses of the web."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

from lacuna.errors import LacunaError

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control and formatting characters (which turn the direction of a line), half surrogates, and
code points without a character."""
LONGEST_ADDRESS = 500
UNFIT = frozenset(' <>"\\`')
"""What no address has but in other signs, and what could end it where it is shown."""


def plain_line(text: str, what: str, longest: int) -> str:
    """A text on one line, which must not be empty.

    >>> plain_line(" A\\u202e reader\\n ", "The name", 20)
    'A reader'
    """
    line = " ".join(_visible(text).split())
    if not line:
        raise LacunaError(f"{what} is empty. Give one.")
    return _bounded(line, what, longest)


def plain_text(text: str, what: str, longest: int) -> str:
    """A text of several lines, which may be empty."""
    lines = (" ".join(_visible(line).split()) for line in text.splitlines())
    return _bounded("\n".join(lines).strip(), what, longest)


def web_address(text: str, what: str) -> str:
    """An address that a page may link to, or nothing."""
    address = text.strip()
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:
        good = False
    is_plain = _visible(address) == address and not set(address) & UNFIT
    if address and not (good and is_plain):
        raise LacunaError(
            f"{what} is no address of the web. Give one that begins with https://, or none."
        )
    return _bounded(address, what, LONGEST_ADDRESS)


def _visible(text: str) -> str:
    return "".join(" " if unicodedata.category(char) in UNSEEN else char for char in text)


def _bounded(text: str, what: str, longest: int) -> str:
    if len(text) > longest:
        raise LacunaError(
            f"{what} has {len(text):,} characters, and at most {longest:,} are taken. Shorten it."
        )
    return text
