"""What was spoken of in a turn, and which of it a pronoun can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lacuna.pipeline.dialog.first_names import kind_by_name
from lacuna.pipeline.dialog.kinds import KindOf, NameKind, looks_like_full_name, may_be_person
from lacuna.pipeline.dialog.phrases import Phrase, phrases_of
from lacuna.pipeline.dialog.questions import QuestionShape
from lacuna.pipeline.dialog.verbs import looks_finite
from lacuna.pipeline.dialog.words import (
    BE,
    CONJUNCTIONS,
    PREPOSITIONS,
    is_capital,
    is_code,
    is_plural,
    is_time,
)
from lacuna.types import Answer, AnswerKind

LIVES = re.compile(
    r"\b(?:born|die|died|marry|married|buried|grow up|grew up|retired?|graduated?|killed|taught|"
    r"elected|appointed|arrested|divorced)\b"
)
MADE = re.compile(r"\b(?:begin|start|open|close|appear|become|cost|happen|end|ship|come out)\b")
"""What a thing does as well as a person."""
NAMED = re.compile(
    r"[A-Z][\w'’.&-]*(?:,? (?:of|the|de|and|for|von|van|in|on|[A-Z0-9&][\w'’.&-]*))*"
)
LONGEST_ANSWER = 8
"""Words of an answer that can name something; a longer one tells a story."""
PLACED = frozenset(
    ("in", "at", "near", "to", "from", "through", "on", "around", "outside", "inside")
)
UNITS = re.compile(
    r"^(?:the )?(?:first |last |\d[\d.,]* )*(?:seconds?|minutes?|hours?|days?|weeks?|months?|"
    r"years?|times?|default|percent|people|things?)$"
)
VAGUE = re.compile(
    r"^(?:any|some|other|more|no) |\b(?:aspects?|articles?|information|facts?|details?|things?)$"
)
"""Phrases that ask whether there is something, or for whatever there is."""
POSSESSIVE_START = re.compile(r"^(?:his|her|its|their) ")


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that was named; ``kind`` is None where it may be a person or not."""

    text: str
    kind: NameKind | None
    plural: bool = False
    answer: bool = False
    place: bool = False
    subject: bool = False
    asked_for: bool = False
    """Whether it is the noun of "which port": what the answer is, whatever that is."""
    any_one: bool = False
    """Whether "a giraffe" was said, so that "they" may mean all of them."""

    @property
    def is_thing(self) -> bool:
        """Whether "it" can mean it, apart from its number."""
        return self.kind is NameKind.OTHER

    def is_person(self, gender: NameKind | None = None) -> bool:
        """Whether "he" or "she" can mean it; ``gender`` is what the pronoun says."""
        people = (NameKind.MAN, NameKind.WOMAN, NameKind.PERSON)
        if self.kind not in people or self.plural:
            return False
        return gender is None or self.kind in (gender, NameKind.PERSON)


def mentions_of(
    shape: QuestionShape,
    answer: Answer | None,
    kind_of: KindOf,
    known: Mapping[str, NameKind],
) -> list[Mention]:
    """What a question and its answer name: first the answer, then the question's in order.

    ``known`` are names that were spoken of before, with what they turned out to be.
    """

    def kind(text: str, *, who: bool = False) -> NameKind:
        name = re.sub(r"^[Tt]he ", "", text)
        found = known.get(text) or kind_of(text) or kind_of(name) or kind_by_name(text)
        if found is not None and (found is NameKind.OTHER or may_be_person(text)):
            return found
        return NameKind.PERSON if who and may_be_person(text) else NameKind.OTHER

    found: list[Mention] = []
    people = shape.wh in ("who", "whom")
    for text, plural in _named_by(answer):
        named = kind(text, who=people)
        found.append(Mention(text, named, plural, answer=True, place=shape.wh == "where"))
    owner = ""
    for phrase in phrases_of(shape, known):
        text = _owned(phrase, owner)
        if not _names_something(shape, phrase, text):
            continue
        owner = owner or text
        role = people and shape.auxiliary in BE and phrase.subject
        who = role or _does_as_people_do(shape, phrase)
        placed = phrase.before in PLACED
        any_one = phrase.text.startswith(("a ", "an ", "every ", "each "))
        several = _is_several(shape, phrase)
        one = kind(text, who=who)
        if role and any(other.answer for other in found):
            found.extend(Mention(name, kind(name)) for name in _inside(text))
            continue  # the answer says who that is
        found.append(
            Mention(text, one, several, place=placed, subject=phrase.subject, any_one=any_one)
        )
        found.extend(Mention(name, kind(name)) for name in _inside(text))
    asked = is_plural(shape.noun) or (shape.wh in ("which", "what") and not shape.preposition)
    if shape.noun and asked and not UNITS.match(shape.noun) and shape.noun not in CONJUNCTIONS:
        owner = next((one.text for one in found if not one.answer and not one.plural), "")
        whose = f" of {owner}" if owner and " of " not in shape.noun else ""
        several = is_plural(shape.noun)
        found.append(Mention(f"the {shape.noun}{whose}", NameKind.OTHER, several, asked_for=True))
    return found


def _names_something(shape: QuestionShape, phrase: Phrase, text: str) -> bool:
    """Whether a phrase is worth going back to: no time, no number, no adjective, nothing vague."""
    if is_time(text) or UNITS.match(text) or text[0].isdigit() or VAGUE.search(text):
        return False
    if POSSESSIVE_START.match(text):
        return False
    if is_capital(text) or is_code(text) or is_plural(text) or " " in text:
        return True
    whole = phrase.end == len(shape.rest)
    if shape.auxiliary in BE:
        return phrase.subject and whole
    return phrase.subject or (whole and looks_finite(phrase.before))


def _does_as_people_do(shape: QuestionShape, phrase: Phrase) -> bool:
    """Whether what is said of a name is said of people: what they did, or what befell them."""
    if LIVES.search(shape.rest):
        return is_capital(phrase.text) and phrase.before not in PREPOSITIONS
    if not looks_like_full_name(phrase.text):
        return False
    return phrase.subject and shape.auxiliary in ("did", "had") and not MADE.search(shape.rest)


def _named_by(answer: Answer | None) -> Iterator[tuple[str, bool]]:
    """What an answer names, and whether that is several."""
    if answer is None:
        return
    if answer.kind is AnswerKind.SPANS and answer.texts:
        yield (
            " and ".join((", ".join(answer.texts[:-1]), answer.texts[-1])).removeprefix(" and "),
            True,
        )
    if answer.kind is AnswerKind.SPAN:
        text = answer.text.strip(' .,;"“”')
        plain = NAMED.fullmatch(text) or is_code(text) or text.startswith(("the ", "in ", "at "))
        wordy = len(text.split()) > LONGEST_ANSWER or re.search(r", (?![A-Z])", text)
        if text and plain and not wordy and not is_time(text) and not text[0].isdigit():
            several = is_plural(text) or bool(re.search(r", .* and | and [A-Z]", text))
            yield text, several


def _owned(phrase: Phrase, owner: str) -> str:
    """With the owner's name in the place of "its", and a thing that was new no more so."""
    if POSSESSIVE_START.match(phrase.text):
        rest = POSSESSIVE_START.sub("", phrase.text)
        return f"{owner}'s {rest}" if owner else phrase.text
    return re.sub(
        r"^(?:an?|every|each|this|that|these|those) ", "the ", re.sub(r"['’]s?$", "", phrase.text)
    )


def _is_several(shape: QuestionShape, phrase: Phrase) -> bool:
    if phrase.subject and shape.auxiliary in ("are", "were", "do"):
        return True
    if phrase.subject and shape.auxiliary in ("is", "was", "does", "has"):
        return False
    return is_plural(phrase.text)


def _inside(text: str) -> Iterator[str]:
    """The names within a longer phrase: "the mayor of Sundby", "Ada Quill's ship"."""
    owner, owns, _ = text.partition("'s ")
    _, of, part = text.partition(" of ")
    for name in (owner if owns else "", part if of else ""):
        if name and (is_capital(name) or is_code(name)):
            yield name
