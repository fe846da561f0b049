"""How a title may be written, and what was meant when it is not found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

GAPS = re.compile(r"[\s_]+")
NEAR_ENOUGH = 60
"""Of 100: below this a suggestion would puzzle more than help."""


def plain(title: str) -> str:
    """Undo URL-quoting and underscores; case stays.

    >>> plain("Ferry_%28ship%29")
    'Ferry (ship)'
    """
    return GAPS.sub(" ", unquote(title, errors="replace")).strip()


def folded(title: str) -> str:
    """The form in which two ways to write a title are the same.

    >>> folded("ferry_(Ship)") == folded("Ferry  (ship)")
    True
    """
    return unicodedata.normalize("NFC", plain(title)).casefold()


def is_valid(title: str) -> bool:
    """Whether the title is Unicode that a file can hold: no half surrogates, not empty."""
    try:
        return bool(title.encode("utf-8").strip())
    except UnicodeEncodeError:
        return False


def closest(wanted: str, titles: Sequence[str]) -> int:
    """Which of several titles, alike but for case and gaps, was meant; the first if in doubt.

    Wikis write a link's first letter small and mean the title with a capital.
    """
    asked = plain(wanted)
    capital = asked[:1].upper() + asked[1:]
    ranks = [
        (plain(title) != asked, plain(title) != capital, number)
        for number, title in enumerate(titles)
    ]
    return min(ranks)[2]


def did_you_mean(wanted: str, titles: Iterable[str], count: int = 3) -> list[str]:
    """The titles most like the one wanted, best first."""
    from rapidfuzz import fuzz, process

    found = process.extract(
        folded(wanted),
        titles,
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=count,
        score_cutoff=NEAR_ENOUGH,
    )
    return [title for title, _, _ in found]
