""" "And X?", "What about X?": the last question with X in the place of its like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lacuna.pipeline.dialog.kinds import KindOf
from lacuna.pipeline.dialog.likeness import akin, likeness
from lacuna.pipeline.dialog.mentions import PLACED, UNITS
from lacuna.pipeline.dialog.phrases import phrases_of
from lacuna.pipeline.dialog.questions import QuestionShape
from lacuna.pipeline.dialog.verbs import COMMON
from lacuna.pipeline.dialog.words import PREPOSITIONS, head_of, is_plural, is_time, words_of

ONES = re.compile(r"^(?:the |an? )?(?P<quality>[\w -]+?) ones?$", re.IGNORECASE)
THOSE = re.compile(r"^(?:those|the ones?|that|ones?) (?P<which>\w+ .+)$", re.IGNORECASE)
OWNED = re.compile(r"^(?P<owner>.+)'s .+$")
COUNTED = 0.4
"""So much liker must be what is counted than what the question is about."""


@dataclass(frozen=True, slots=True)
class PutIn:
    """A question with something else in it; ``centre`` is that, where the question is about it."""

    text: str
    centre: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """A stretch of a question that something else can take the place of.

    ``whole`` is the phrase that it is a part of; ``counted`` says that it stands in "how many N".
    """

    start: int
    end: int
    text: str
    before: str = ""
    whole: tuple[int, int] = (0, 0)
    counted: bool = False


def put_in(fragment: str, shape: QuestionShape, kind_of: KindOf, known: Iterable[str]) -> PutIn:
    """The question with the fragment in the place of its like; nothing where it has none."""
    words = words_of(fragment)
    places = list(_places(shape, known))
    if words and words[0].lower in PREPOSITIONS | {"of"} and len(words) > 1:
        small = fragment[:1].lower() + fragment[1:]
        return _put_preposition(small, words[0].lower, shape, places)
    if not words or not places:
        return PutIn("")
    if those := THOSE.match(fragment):
        several = [place for place in places if is_plural(place.text)] or places
        text = f"the {head_of(several[0].text)} {those['which']}"
        return PutIn(_put(shape, several[0], text), text)
    if ones := ONES.match(fragment):
        return _put_quality(ones["quality"], shape, places)
    if owned := OWNED.match(fragment):
        of_owner = [place for place in places if place.text.endswith(f" of {owned['owner']}")]
        if of_owner:
            return PutIn(_put(shape, of_owner[0], fragment), fragment)
    if fragment in COMMON and (
        verbs := [word for word in words_of(shape.rest) if word.text in COMMON]
    ):
        start, end = verbs[-1].start, verbs[-1].end
        return PutIn(replace(shape, rest=shape.rest[:start] + fragment + shape.rest[end:]).text)
    best = max(
        places,
        key=lambda place: likeness(fragment, place.text, kind_of) - COUNTED * place.counted,
    )
    return PutIn(_put(shape, best, fragment), _centre(fragment, best, shape))


def _places(shape: QuestionShape, known: Iterable[str]) -> Iterator[_Place]:
    """All phrases, the two parts of those with "of", and the noun of "how many N"."""
    for phrase in phrases_of(shape, known):
        whole = phrase.start, phrase.end
        if UNITS.match(phrase.text):
            continue
        yield _Place(*whole, phrase.text, phrase.before, whole)
        if found := re.search(r" of (?:the )?", phrase.text):
            middle, tail = phrase.start + found.start(), phrase.start + found.end()
            head = shape.rest[phrase.start : middle]
            yield _Place(phrase.start, middle, head, phrase.before, whole)
            yield _Place(tail, phrase.end, shape.rest[tail : phrase.end], phrase.before, whole)
    if shape.noun and not UNITS.match(head_of(shape.noun)):
        yield _Place(0, 0, shape.noun, counted=True)


def _put(shape: QuestionShape, place: _Place, text: str) -> str:
    if place.counted:
        return replace(shape, asking=shape.asking.replace(place.text, text)).text
    return replace(shape, rest=shape.rest[: place.start] + text + shape.rest[place.end :]).text


def _centre(fragment: str, place: _Place, shape: QuestionShape) -> str:
    """All of the phrase that the fragment is now in, unless it only says where or when."""
    if place.counted or place.before in PLACED or is_time(fragment):
        return ""
    start, end = place.whole
    return shape.rest[start : place.start] + fragment + shape.rest[place.end : end]


def _put_preposition(
    fragment: str, preposition: str, shape: QuestionShape, places: list[_Place]
) -> PutIn:
    """In the place of what follows the same preposition, else at the end."""
    rest = shape.rest
    for place in reversed(places):
        before = "" if place.counted else rest[: place.start].rstrip()
        if before.lower().endswith(f" {preposition}"):
            start = len(before) - len(preposition)
            text = replace(shape, rest=rest[:start] + fragment + rest[place.end :]).text
            whole = rest[place.whole[0] : start] + fragment
            return PutIn(text, whole if preposition == "of" else "")
    last = re.search(rf"\b{preposition} [\w.,-]+$", rest)
    kept = rest[: last.start()].rstrip() if last else rest
    return PutIn(replace(shape, rest=f"{kept} {fragment}").text)


def _put_quality(quality: str, shape: QuestionShape, places: list[_Place]) -> PutIn:
    """ "Raw ones": the same things with another word before them."""

    def fits(place: _Place) -> tuple[bool, bool, bool, bool]:
        ours, theirs = quality.lower().split(), place.text.lower().split()
        shared = any(akin(one, other) for one in ours for other in theirs)
        return shared, is_plural(place.text), not place.counted, len(theirs) > 1

    best = max(places, key=fits)
    article = re.match(r"(?:the|an?) ", best.text)
    text = f"{article[0] if article else ''}{quality} {head_of(best.text)}"
    return PutIn(_put(shape, best, text), text)
