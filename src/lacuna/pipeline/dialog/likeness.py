"""How much two phrases are of a kind: a name for a name, a year for a year."""

from __future__ import annotations

import re

from lacuna.pipeline.dialog.kinds import KindOf, NameKind
from lacuna.pipeline.dialog.words import ARTICLES, YEAR, is_capital, is_code, is_plural, words_of

SAME_WORD = 3.0
OTHER_WORD = 0.5
SAME_SHAPE = 2.0
SAME_CASE = 1.0
SAME_NUMBER = 0.5
SAME_LENGTH = 0.3


def likeness(one: str, other: str, kind_of: KindOf) -> float:
    """Words that they share, how they are written, and what they name, in one number.

    >>> unknown = {}.get
    >>> likeness("Sweden", "Norway", unknown) > likeness("Sweden", "the meal allowance", unknown)
    True
    """
    ours, theirs = _content(one), _content(other)
    shared = len(ours & theirs)
    score = SAME_WORD * shared - (OTHER_WORD * len(theirs - ours) if shared else 0.0)
    if _way_of_writing(one) == _way_of_writing(other):
        score += SAME_SHAPE
    elif is_capital(_bare(one)) == is_capital(_bare(other)):
        score += SAME_CASE
    kinds = kind_of(_bare(one)), kind_of(_bare(other))
    if None not in kinds:
        same = (kinds[0] is NameKind.OTHER) == (kinds[1] is NameKind.OTHER)
        score += SAME_SHAPE if same else -SAME_SHAPE
    score += SAME_NUMBER * (is_plural(one) == is_plural(other))
    return score + SAME_LENGTH * (_is_long(one) == _is_long(other))


def akin(one: str, other: str) -> bool:
    """Whether one word is the other with something before it.

    >>> akin("resolved", "unresolved"), akin("raw", "cooked")
    (True, False)
    """
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 3 and longer.endswith(shorter)


def _way_of_writing(text: str) -> str:
    """A year, a number, something to type, a name, one thing, several, or neither.

    >>> [_way_of_writing(text) for text in ("2021", "cache_size", "the port of Sund", "otters")]
    ['year', 'code', 'the thing', 'things']
    """
    head = text.split(" of ")[0]
    bare = _bare(head)
    if YEAR.fullmatch(bare):
        return "year"
    if bare[:1].isdigit():
        return "number"
    if is_code(bare):
        return "code"
    if is_capital(bare):
        return "name"
    if head.split()[0].lower() in ARTICLES or "'s " in head:
        return "the thing"
    return "things" if is_plural(bare) else "some"


def _bare(text: str) -> str:
    return re.sub(r"^(?:an?|the|any|some) ", "", text, flags=re.IGNORECASE)


def _content(text: str) -> set[str]:
    return {word.lower.rstrip("s") for word in words_of(_bare(text)) if word.lower != "of"}


def _is_long(text: str) -> bool:
    return len(_bare(text).split()) > 1
