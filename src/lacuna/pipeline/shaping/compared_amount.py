"""Yes or no by calculation, where a question compares with an amount or a date.

"Is the timeout longer than 10 minutes?" is decided by "The timeout is 900 seconds". Both sides are
read with their units; where they cannot be read without doubt, nothing is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from lacuna.models.reader.question_form import asks_yes_or_no
from lacuna.pipeline.shaping.comparison import Comparison
from lacuna.quantities.intervals import (
    BoundedMeasure,
    BoundKind,
    ValueRange,
    bounded_measures,
)
from lacuna.quantities.measures import Dimension
from lacuna.text import content_stems
from lacuna.types import Document, Evidence, Span

_NEGATED = re.compile(
    r"\b(?:not|never|no|none|unless|except|cannot|without|neither|nor|only|if|\w+n['’]t)\b",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:can|may|could|allow\w*|permit\w*|support\w*|accept\w*|enough|sufficient|handle|possible"
    r"|hold|fit)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|every|each|any|always)\b", re.IGNORECASE)
_HOLDS = re.compile(r"\b(?:allow|permit|support|accept|handle|hold|fit)\w*\b", re.IGNORECASE)
_MUST = re.compile(r"\b(?:must|needs?|required?|requires|have to|has to)\b", re.IGNORECASE)
_SAYS_LITTLE = frozenset(
    content_stems(
        "allow allowed permit support accept enough sufficient handle possible hold fit need"
        " require last take long high large old big tall deep wide heavy fast have exist use get"
        " amount number size there happen contain still currently ever already"
    )
)
# A date by itself, and not one that names something: "in 1902", but not "the 1902 election".
_BEFORE_DATE = re.compile(
    r"(?:\b(?:in|on|by|of|since|from|until|before|after|for|born|during|around)|[(,])(?: the)? $"
)
_AFTER_DATE = re.compile(
    r"\W*$|[,.;:)–-]| (?:in|at|by|on|and|as|with|when|after|to|for|the|from|under|but)\b"
)
_HAS = re.compile(
    r"\b(?:has|have|had|contains?|are there|were there|consists? of|includes?)\b", re.IGNORECASE
)
_IS = re.compile(r"\b(?:is|are|was|were|has|have|had|takes?|lasts?|of)\s*$", re.IGNORECASE)
_ENOUGH_SHARED = 0.75


class _Asked(StrEnum):
    """What a question wants to know of an amount."""

    FACT = "is"
    PERMISSION = "may be"
    REQUIREMENT = "must be"


@dataclass(frozen=True, slots=True)
class _Query:
    asked: _Asked
    bound: BoundedMeasure
    written: str
    subject: frozenset[str]


def compared_with_amount(question: str, documents: Sequence[Document]) -> Comparison | None:
    """Compare the amount in a yes/no question with the one that the documents give.

    None unless every sentence that is about the same thing leads to the same answer.
    """
    query = _read(question)
    if query is None:
        return None
    verdicts = [found for document in documents for found in _verdicts(query, document)]
    best = max((shared for shared, _ in verdicts), default=0.0)
    top = [verdict for shared, verdict in verdicts if shared == best]
    if not top or len({verdict.is_so for verdict in top}) != 1:
        return None
    denied = query.bound.kind is BoundKind.EXACT and not top[0].is_so
    return None if denied and _is_said(query, documents) else top[0]


def _is_said(query: _Query, documents: Sequence[Document]) -> bool:
    """Whether the amount that was asked about stands somewhere after all."""
    return any(
        bound.measure.dimension is query.bound.measure.dimension
        and not bound.interval.apart(query.bound.interval)
        for document in documents
        for bound in bounded_measures(document.text)
    )


def _read(question: str) -> _Query | None:
    """The amount that a question names, and what it is asked about."""
    if not asks_yes_or_no(question):
        return None
    bounds = bounded_measures(question)
    if len(bounds) != 1:
        return None
    (bound,) = bounds
    measure = bound.measure
    if measure.dimension is Dimension.COUNT and not measure.unit:
        return None
    rest = f"{question[: bound.start]} {question[bound.end :]}"
    if (
        _NEGATED.search(rest)
        or _ALL.search(rest)
        or bound.kind in (BoundKind.ROUGH, BoundKind.RANGE)
    ):
        return None
    if measure.dimension is Dimension.DATE and not _stands_alone(bound, question):
        return None
    counted = measure.dimension is Dimension.COUNT and bound.kind is BoundKind.EXACT
    if counted and not _HAS.search(rest) and not _MAY.search(rest):
        return None  # a number in a name: "Is Channel 4 on air?"
    if question[bound.start : measure.start].lower().startswith("up to"):
        point = ValueRange(bound.interval.high, bound.interval.high)
        bound = replace(bound, kind=BoundKind.EXACT, interval=point)
    asked = _Asked.FACT
    if _MAY.search(rest):
        asked = _Asked.PERMISSION
    elif _MUST.search(rest):
        asked = _Asked.REQUIREMENT
    subject = frozenset(content_stems(rest)) - _SAYS_LITTLE
    return _Query(asked, bound, question[bound.start : bound.end], subject) if subject else None


def _stands_alone(bound: BoundedMeasure, text: str) -> bool:
    """Whether a date says when something was."""
    measure = bound.measure
    return bool(_BEFORE_DATE.search(text[: measure.start]) and _AFTER_DATE.match(text, measure.end))


def _verdicts(query: _Query, document: Document) -> Iterator[tuple[float, Comparison]]:
    """What each sentence of a document says, with the share of the subject that it names."""
    around = set(content_stems(document.title))
    for sentence in document.sentences or (Span(0, len(document.text)),):
        text = document.text[sentence.start : sentence.end]
        bounds = [bound for bound in bounded_measures(text) if _comparable(query, bound, text)]
        if not bounds:
            continue
        named = set(content_stems(text))
        shared = len(query.subject & (named | around)) / len(query.subject)
        least = 1.0 if query.bound.kind is BoundKind.EXACT else _ENOUGH_SHARED
        if shared < least or not query.subject & named:
            continue
        bare = "".join(_outside(text, bounds))
        if _NEGATED.search(bare) or len({bound.interval for bound in bounds}) > 2:
            continue
        decided = [_decided(query, bound, text) for bound in bounds]
        if None in decided or len(set(decided)) != 1:
            continue
        bound = bounds[0]
        is_so = bool(decided[0])
        place = Evidence(
            document.title, sentence.start + bound.measure.start, sentence.start + bound.end
        )
        yield shared, Comparison(is_so, _expression(query, bound, text, is_so), (place,))


def _outside(text: str, bounds: Sequence[BoundedMeasure]) -> Iterator[str]:
    at = 0
    for bound in bounds:
        yield text[at : bound.start]
        at = bound.end
    yield text[at:]


def _comparable(query: _Query, bound: BoundedMeasure, text: str) -> bool:
    asked, given = query.bound.measure, bound.measure
    if asked.dimension is not given.dimension:
        return False
    if asked.dimension is Dimension.DATE:
        return _stands_alone(bound, text)
    if asked.dimension is Dimension.MONEY:
        return asked.unit == given.unit
    if asked.dimension is Dimension.COUNT:
        behind = text[given.end - len(given.unit) :].split()[:3]
        return bool(set(content_stems(asked.unit)) & set(content_stems(" ".join(behind))))
    return True


def _decided(query: _Query, bound: BoundedMeasure, text: str) -> bool | None:
    """Whether what is asked follows from one amount of the text; None if that stays open."""
    given, asked = bound.interval, query.bound.interval
    strict = bound.kind in (BoundKind.MORE, BoundKind.LESS)
    if strict and bound.measure.date is None and not _IS.search(text[: bound.start]):
        return None  # "those older than 15 days are removed" is no age of theirs
    if query.asked is _Asked.PERMISSION:
        if bound.kind in (BoundKind.EXACT, BoundKind.ROUGH):
            if not _HOLDS.search(text):
                return None
            given = replace(given, low=float("-inf"))
        return not given.apart(asked)
    if query.asked is _Asked.REQUIREMENT:
        return given.inside(asked) if bound.kind is BoundKind.AT_LEAST else None
    if given.inside(asked):
        return True
    return False if given.apart(asked) else None


def _expression(query: _Query, bound: BoundedMeasure, text: str, is_so: bool) -> str:
    one, other = bound.measure, query.bound.measure
    sign = "=" if one.value == other.value else "<" if one.value < other.value else ">"
    if one.date and other.date:
        moments = one.date.moment, other.date.moment
        sign = "=" if moments[0] == moments[1] else "<" if moments[0] < moments[1] else ">"
    if is_so and query.bound.kind is bound.kind is BoundKind.EXACT and query.asked is _Asked.FACT:
        sign = "="  # a day of the year that was asked about
    given = text[one.start : one.end]
    asked = query.written[other.start - query.bound.start : other.end - query.bound.start]
    return f"{given} {sign} {asked}: {'yes' if is_so else 'no'}"
