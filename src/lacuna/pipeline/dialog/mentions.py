"""What was spoken of in a turn, and which of it a pronoun can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lacuna.pipeline.dialog.kinds import Kind, KindOf, looks_like_full_name, may_be_person
from lacuna.pipeline.dialog.phrases import Phrase, phrases_of
from lacuna.pipeline.dialog.questions import QuestionShape
from lacuna.pipeline.dialog.words import (
    BE,
    is_capital,
    is_code,
    is_plural,
    is_time,
)
from lacuna.types import Answer, AnswerKind

LIVES = re.compile(r"\b(?:born|die|died|marry|married|buried|grow up|retire|graduate)\b")
LONGEST_ANSWER = 8
"""Words of an answer that can name something; a longer one tells a story."""
PLACED = frozenset(("in", "at", "near", "to", "from", "through", "on", "around", "outside", "inside"))
UNITS = re.compile(
    r"^(?:the )?(?:first |last |\d[\d.,]* )*(?:seconds?|minutes?|hours?|days?|weeks?|months?|"
    r"years?|times?|default|percent|people|things?)$"
)
POSSESSIVE_START = re.compile(r"^(?:his|her|its|their) ")


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that was named; ``kind`` is None where it may be a person or not."""

    text: str
    kind: Kind | None
    plural: bool = False
    answer: bool = False
    place: bool = False
    subject: bool = False
    any_one: bool = False
    """Whether "a giraffe" was said, so that "they" may mean all of them."""

    @property
    def is_thing(self) -> bool:
        """Whether "it" can mean it, apart from its number."""
        return self.kind is Kind.OTHER

    def is_person(self, gender: Kind | None = None) -> bool:
        """Whether "he" or "she" can mean it; ``gender`` is what the pronoun says."""
        people = (Kind.MAN, Kind.WOMAN, Kind.PERSON)
        if self.kind not in people or self.plural:
            return False
        return gender is None or self.kind in (gender, Kind.PERSON)


def mentions_of(
    shape: QuestionShape,
    answer: Answer | None,
    kind_of: KindOf,
    known: Mapping[str, Kind],
) -> list[Mention]:
    """What a question and its answer name: first the answer, then the question's in order.

    ``known`` are names that were spoken of before, with what they turned out to be.
    """
    phrases = phrases_of(shape, known)
    lives = bool(LIVES.search(shape.rest))

    def kind(text: str, *, who: bool) -> Kind | None:
        name = re.sub(r"^[Tt]he ", "", text)
        found = known.get(text) or kind_of(text) or kind_of(name)
        if found is not None:
            return found
        if who:
            return Kind.PERSON if may_be_person(text) else Kind.OTHER
        if not looks_like_full_name(text):
            return Kind.OTHER
        return None

    found: list[Mention] = []
    people = shape.wh in ("who", "whom")
    for text, plural in _named_by(answer):
        named_one = kind(text, who=people)
        found.append(Mention(text, named_one, plural, answer=True, place=shape.wh == "where"))
    before = ""
    for phrase in phrases:
        text = _owned(phrase, before)
        if is_time(text) or UNITS.match(text) or text[0].isdigit():
            continue
        before = before or text
        role = people and shape.auxiliary in BE and phrase.subject
        who = role or (lives and phrase.subject)
        placed = phrase.before in PLACED
        one = kind(text, who=who)
        if one is None:
            one = Kind.OTHER if placed else Kind.PERSON
        plural = _is_several(shape, phrase)
        any_one = phrase.text.startswith(("a ", "an ", "every ", "each "))
        found.append(Mention(text, one, plural, False, placed, phrase.subject, any_one))
        found.extend(_inside(text, kind))
    if shape.noun and is_plural(shape.noun) and not UNITS.match(shape.noun):
        owner = next((one.text for one in found if not one.answer and not one.plural), "")
        whose = f" of {owner}" if owner and " of " not in shape.noun else ""
        found.append(Mention(f"the {shape.noun}{whose}", Kind.OTHER, plural=True))
    return found


def _named_by(answer: Answer | None) -> Iterator[tuple[str, bool]]:
    """What an answer names, and whether that is several."""
    if answer is None:
        return
    if answer.kind is AnswerKind.SPANS and answer.texts:
        yield " and ".join((", ".join(answer.texts[:-1]), answer.texts[-1])).removeprefix(" and "), True
    if answer.kind is AnswerKind.SPAN:
        text = answer.text.strip(" .")
        plain = is_capital(text) or is_code(text) or text.startswith(("the ", "in ", "at "))
        wordy = len(text.split()) > LONGEST_ANSWER
        if text and plain and not wordy and not is_time(text) and not text[0].isdigit():
            several = is_plural(text) or bool(re.search(r", .* and | and [A-Z]", text))
            yield text, several


def _owned(phrase: Phrase, owner: str) -> str:
    """With the owner's name in the place of "its", and a thing that was new no more so."""
    if POSSESSIVE_START.match(phrase.text):
        rest = POSSESSIVE_START.sub("", phrase.text)
        return f"{owner}'s {rest}" if owner else phrase.text
    return re.sub(r"^(?:an?|any|every|each) ", "the ", phrase.text)


def _is_several(shape: QuestionShape, phrase: Phrase) -> bool:
    if phrase.subject and shape.auxiliary in ("are", "were", "do"):
        return True
    if phrase.subject and shape.auxiliary in ("is", "was", "does", "has"):
        return False
    return is_plural(phrase.text)


def _inside(text: str, kind: object) -> Iterator[Mention]:
    """The names within a longer phrase: "the mayor of Sundby", "Ada Quill's ship"."""
    assert callable(kind)
    owner, owns, _ = text.partition("'s ")
    _, of, part = text.partition(" of ")
    for name in (owner if owns else "", part if of else ""):
        if name and (is_capital(name) or is_code(name)):
            inner = kind(name, who=False)
            yield Mention(name, Kind.PERSON if inner is None else inner)
