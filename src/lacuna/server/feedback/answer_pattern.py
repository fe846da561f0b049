"""A right answer as the patterns by which ``lacuna evaluate real`` judges others."""

from __future__ import annotations

import re
from collections.abc import Sequence

EXACT = ("yes", "no", "none")
"""Answers of a kind of their own: nothing else may stand beside them."""


def patterns_for(texts: Sequence[str]) -> str | list[str]:
    """What must be found in an answer that is right, given the parts of one.

    >>> patterns_for(["Yes"]), patterns_for(["Ellen  Voss."])
    ('^yes$', '(?<!\\\\w)Ellen\\\\s+Voss(?!\\\\w)')
    """
    patterns = [_pattern(text) for text in texts]
    return patterns[0] if len(patterns) == 1 else patterns


def _pattern(text: str) -> str:
    bare = text.strip().rstrip(".").strip() or text.strip()
    if bare.lower() in EXACT:
        return f"^{bare.lower()}$"
    words = r"\s+".join(map(re.escape, bare.split()))
    return f"{_before(bare[0])}{words}{_after(bare[-1])}"


def _before(first: str) -> str:
    """A number must not be the end of another one, nor a word that of another word."""
    return r"(?<![\d.,])" if first.isdigit() else r"(?<!\w)" if first.isalpha() else ""


def _after(last: str) -> str:
    return r"(?!\d|[.,]\d)" if last.isdigit() else r"(?!\w)" if last.isalpha() else ""
