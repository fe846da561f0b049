"""What becomes of one answer: right, wrong or none, by the patterns that a right one matches."""

from __future__ import annotations

import re
from enum import StrEnum

from lacuna.types import Answer, AnswerKind

Match = str | list[str]
"""A regular expression, or several that must all be found."""
YES, NO, NONE = "^yes$", "^no$", "^none$"
"""Patterns with a meaning of their own; the last is that of a question that the documents do not
answer."""


class Judgement(StrEnum):
    """How an answer turned out."""

    RIGHT = "right"
    WRONG = "wrong"
    WRONGLY_NONE = "wrongly none"
    RIGHTLY_NONE = "rightly none"
    ANSWERED_THOUGH_NONE = "answered though none"


CORRECT = (Judgement.RIGHT, Judgement.RIGHTLY_NONE)


def outcome(match: Match, text: str) -> Judgement:
    """Judge the text of an answer; "none" or nothing at all means that none was given.

    >>> outcome("^yes$", "Yes.").value, outcome("^none$", "none").value
    ('right', 'rightly none')
    """
    none = text.strip().lower() in ("none", "")
    if match == NONE:
        return Judgement.RIGHTLY_NONE if none else Judgement.ANSWERED_THOUGH_NONE
    if none:
        return Judgement.WRONGLY_NONE
    return Judgement.RIGHT if matches(match, text) else Judgement.WRONG


def matches(match: Match, text: str) -> bool:
    """Whether all patterns are found, in any case; the full stop of a sentence does not count."""
    bare = text.strip().rstrip(".").strip()
    patterns = [match] if isinstance(match, str) else match
    return all(re.search(pattern, bare, re.IGNORECASE) for pattern in patterns)


def text_of(answer: Answer) -> str:
    """An answer as a person reads it, which is what the patterns are written for."""
    return "none" if answer.kind is AnswerKind.NONE else answer.text or "none"
