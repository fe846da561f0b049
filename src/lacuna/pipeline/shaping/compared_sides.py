"""Yes/no questions about two things: "Is A older than B?", "Was A founded before B?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lacuna.models.reader.question_form import asks_yes_or_no
from lacuna.pipeline.shaping.comparison import Comparison
from lacuna.quantities.intervals import BoundedMeasure, BoundKind, bounded_measures
from lacuna.quantities.measures import Dimension
from lacuna.text import content_stems
from lacuna.types import Document, Evidence, Span

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
    sides = _read(question)
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


def _read(question: str) -> _Sides | None:
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
