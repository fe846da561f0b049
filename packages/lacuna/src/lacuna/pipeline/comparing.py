"""Yes or no by calculation, where a question compares amounts, dates or two things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from lacuna.models.reader.decode import asks_yes_or_no
from lacuna.quantities.measures import (
    BoundedMeasure,
    BoundKind,
    Dimension,
    ValueRange,
    bounded_measures,
)
from lacuna.text import content_stems
from lacuna.types import Answer, Document, Evidence, Span


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison came to, how it was calculated, and from what."""

    is_so: bool
    expression: str
    found_at: tuple[Evidence, ...]

    @property
    def answer(self) -> Answer:
        """Yes or no, with the comparison as its expression."""
        answer = (Answer.yes if self.is_so else Answer.no)(*self.found_at)
        return replace(answer, expression=self.expression)


# Yes or no by calculation, where a question compares with an amount or a date.
#
# "Is the timeout longer than 10 minutes?" is decided by "The timeout is 900 seconds". Both sides
# are read with their units; where they cannot be read without doubt, nothing is decided.


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
    """Tell if the amount that was asked about stands somewhere after all."""
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
    """Tell if a date says when something was."""
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
    """Tell if what is asked follows from one amount of the text; None if that stays open."""
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


_BEGINNINGS = "born|founded|built|established|opened|created|formed|released|launched|completed"
_BIRTH = re.compile(rf"\b(?:{_BEGINNINGS})\b", re.IGNORECASE)
_LIFE = re.compile(r"\(\s*(?:born |b\. )?$")
_OF_DIMENSION = {
    "higher taller deeper wider lower shallower narrower": Dimension.LENGTH,
    "longer shorter farther": Dimension.LENGTH,
    "larger bigger smaller": Dimension.AREA,
    "heavier lighter": Dimension.MASS,
    "faster slower": Dimension.SPEED,
    "older younger": Dimension.DATE,
}
_DIMENSIONS = {word: kind for words, kind in _OF_DIMENSION.items() for word in words.split()}
_LESS = frozenset(
    ("lower", "shallower", "narrower", "shorter", "smaller", "lighter", "slower", "younger")
)
_ADJECTIVE = re.compile(
    rf"(?:is|are|was|were) (?P<one>.+?) (?P<how>{'|'.join(_DIMENSIONS)}) than (?P<other>.+?)\W*$",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?:is|are|was|were) (?P<one>.+?) (?P<verb>\w+(?:ed|en|ilt|orn|ade|ounded)) "
    r"(?P<how>before|after|earlier than|later than) (?P<other>.+?)(?: (?:is|was|were|did))?\W*$",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:does|do|did|has|have|had) (?P<one>.+?) (?:have |has |had |contain |own )?"
    r"(?P<how>more|fewer) (?P<noun>[\w-]+) than (?P<other>.+?)(?: (?:does|do|did|has|have"
    r"|had))?\W*$",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|never|or|if|unless|\w+n['’]t)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two things and what is compared of them; ``noun`` is counted, ``verb`` tells which date."""

    one: str
    other: str
    dimension: Dimension
    one_is_less: bool
    noun: str = ""
    verb: str = ""


@dataclass(frozen=True, slots=True)
class _Value:
    bound: BoundedMeasure
    text: str
    place: Evidence


def compared_with_each_other(question: str, documents: Sequence[Document]) -> Comparison | None:
    """Compare two things by the amount or date that is given for each; None unless there is one."""
    sides = _read_sides(question)
    if sides is None:
        return None
    one = _only_value(sides, sides.one, sides.other, documents)
    other = _only_value(sides, sides.other, sides.one, documents)
    if one is None or other is None:
        return None
    first, second = one.bound.interval, other.bound.interval
    if not first.apart(second):
        return None
    less = first.low < second.low
    is_so = less is sides.one_is_less
    sign = "<" if less else ">"
    expression = f"{one.text} {sign} {other.text}: {'yes' if is_so else 'no'}"
    return Comparison(is_so, expression, (one.place, other.place))


def _read_sides(question: str) -> _Sides | None:
    asked = question.strip()
    if not asks_yes_or_no(asked) or _DENIES.search(asked) or bounded_measures(asked):
        return None
    if match := _EVENT.match(asked):
        sooner = match["how"].lower() in ("before", "earlier than")
        return _Sides(
            match["one"], match["other"], Dimension.DATE, sooner, verb=match["verb"].lower()
        )
    if match := _ADJECTIVE.match(asked):
        how = match["how"].lower()
        dimension = _DIMENSIONS[how]
        # Who is older was born sooner.
        less = (how in _LESS) is not (dimension is Dimension.DATE)
        return _Sides(match["one"], match["other"], dimension, less)
    if match := _COUNT.match(asked):
        fewer = match["how"].lower() == "fewer"
        return _Sides(match["one"], match["other"], Dimension.COUNT, fewer, noun=match["noun"])
    return None


def _only_value(
    sides: _Sides, name: str, not_of: str, documents: Sequence[Document]
) -> _Value | None:
    """The one amount that is said of a thing; None if there are several or none."""
    values = [value for page in documents for value in _values(sides, name, not_of, page)]
    if not values:
        return None
    first = values[0]
    return first if all(_agree(first, value) for value in values) else None


def _agree(first: _Value, second: _Value) -> bool:
    """The same amount, or the same in another unit: "88 m (289 ft)"."""
    one, other = first.bound, second.bound
    if one.measure.date and other.measure.date:
        return not one.interval.apart(other.interval)
    return abs(one.measure.value - other.measure.value) <= 0.01 * abs(one.measure.value)


def _values(sides: _Sides, name: str, not_of: str, document: Document) -> Iterator[_Value]:
    wanted, unwanted = set(content_stems(name)), set(content_stems(not_of))
    title = set(content_stems(document.title))
    for sentence in document.sentences or (Span(0, len(document.text)),):
        text = document.text[sentence.start : sentence.end]
        named = set(content_stems(text))
        of_it = wanted <= named or (wanted <= title and not unwanted <= named)
        if not wanted or not of_it or (unwanted - wanted) & named or _DENIES.search(text):
            continue
        for bound in bounded_measures(text):
            if bound.kind in (BoundKind.EXACT, BoundKind.ROUGH, BoundKind.RANGE) and _is_meant(
                sides, bound, text
            ):
                start, end = bound.measure.start, bound.measure.end
                place = Evidence(document.title, sentence.start + start, sentence.start + end)
                yield _Value(bound, text[start:end], place)


def _is_meant(sides: _Sides, bound: BoundedMeasure, text: str) -> bool:
    measure = bound.measure
    if measure.dimension is not sides.dimension:
        return False
    if sides.dimension is Dimension.COUNT:
        behind = " ".join(text[measure.end - len(measure.unit) :].split()[:3])
        return bool(set(content_stems(sides.noun)) & set(content_stems(behind)))
    if sides.dimension is not Dimension.DATE:
        return True
    before = text[: bound.start]
    if sides.verb in ("", "born") and _LIFE.search(before):
        return True
    clause = re.split(r"[,;(]", before)[-1]
    if sides.verb:
        return bool(set(content_stems(sides.verb)) & set(content_stems(clause)))
    return _BIRTH.search(clause) is not None


def compared(question: str, documents: Sequence[Document]) -> Comparison | None:
    """Yes or no by what the documents say, with the comparison; None where both sides are not
    read without doubt.

    >>> page = Document("Pump", "The pump runs for 900 seconds.")
    >>> compared("Does the pump run for more than 10 minutes?", [page]).expression
    '900 seconds > 10 minutes: yes'
    """
    return compared_with_amount(question, documents) or compared_with_each_other(
        question, documents
    )
