"""What a dialog has spoken of, and what of it a pronoun or a short name can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lacuna.english import (
    CONJUNCTIONS,
    MONTH,
    PREPOSITIONS,
    YEAR,
    is_capital,
    is_code,
    is_plural,
    is_time,
    looks_finite,
    plural_of,
)
from lacuna.english import FORMS_OF_BE as BE
from lacuna.pipeline.dialog.questions import (
    KindOf,
    NameKind,
    Phrase,
    QuestionShape,
    kind_by_name,
    looks_like_full_name,
    may_be_person,
    phrases_of,
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
    """True if it is the noun of "which port": what the answer is, whatever that is."""
    any_one: bool = False
    """True if "a giraffe" was said, so that "they" may mean all of them."""

    @property
    def is_thing(self) -> bool:
        """True if "it" can mean it, apart from its number."""
        return self.kind is NameKind.OTHER

    def is_person(self, gender: NameKind | None = None) -> bool:
        """Tell if "he" or "she" can mean it; ``gender`` is what the pronoun says."""
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
    """Tell if a phrase is worth going back to: no time, no number, no adjective, nothing vague."""
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
    """Tell if what is said of a name is said of people: what they did, or what befell them."""
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


CAPITALS = re.compile(r"[A-Z][\w’.-]*(?: [A-Z][\w’.-]*)*")
LONGEST_TIME = 6
GROUPS = re.compile(
    r"\b(?:band|board|committee|company|council|department|family|government|group|guild|office|"
    r"party|project|staff|team)\b"
)
"""One word for several people."""
PEOPLE = (NameKind.MAN, NameKind.WOMAN, NameKind.PERSON)


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """A turn as it was understood.

    ``centre`` is what its "it" or "they" meant, or what took the place of something in the question
    before: the dialog is about that. ``aside`` says that it only asked why.
    """

    shape: QuestionShape
    answer: Answer | None
    mentions: tuple[Mention, ...]
    centre: str = ""
    aside: bool = False
    unclear: frozenset[str] = frozenset()
    """Pronouns of which nobody knew what they mean; only the answer can tell it since."""

    def spoken_of(self, pronoun: str) -> list[Mention]:
        """What a pronoun can mean, as far as its number and kind allow."""
        return [one for one in self.mentions if one.answer or pronoun not in self.unclear]

    @property
    def answer_text(self) -> str:
        """The answer, where it is a quote or a number."""
        kinds = (AnswerKind.SPAN, AnswerKind.SPANS, AnswerKind.NUMBER)
        return self.answer.text.strip(" .") if self.answer and self.answer.kind in kinds else ""

    @property
    def names_its_answer(self) -> bool:
        """True if the question asks which one it is, so that the answer is spoken of from then on.

        "What is the capital?", "Which school did she attend?", but not "In which town is it?".
        """
        if self.shape.preposition or self.shape.wh not in ("what", "which"):
            return False
        if self.shape.noun:
            return True
        subjects = [phrase for phrase in phrases_of(self.shape) if phrase.subject]
        whole = bool(subjects) and subjects[0].end == len(self.shape.rest)
        return self.shape.auxiliary in BE and whole


@dataclass(slots=True)
class DialogMemory:
    """The turns so far, the last one last; ``title`` is the document that the dialog began with."""

    kind_of: KindOf
    title: str = ""
    turns: list[SpokenTurn] = field(default_factory=list)
    known: dict[str, NameKind] = field(default_factory=dict)

    def remember(
        self,
        shape: QuestionShape,
        answer: Answer | None,
        *,
        centre: str = "",
        aside: bool = False,
        unclear: frozenset[str] = frozenset(),
    ) -> None:
        """Add a turn as it was understood."""
        mentions = tuple(mentions_of(shape, answer, self.kind_of, self.known))
        documents = [place.document for place in (answer.found_at if answer else ())]
        read = tuple(
            Mention(title, kind)
            for title in dict.fromkeys(documents)
            if (kind := self.kind_of(title)) in PEOPLE
        )
        for mention in mentions:
            if mention.kind is not None and not mention.plural:
                self.known.setdefault(mention.text, mention.kind)
        self.turns.append(SpokenTurn(shape, answer, mentions + read, centre, aside, unclear))

    def kind(self, name: str) -> NameKind | None:
        """What a name turned out to be, or is elsewhere known as."""
        return self.known.get(name) or self.kind_of(name)

    def call(self, name: str, gender: NameKind) -> None:
        """A pronoun told whether someone is a man or a woman."""
        self.known[name] = gender

    def person(self, gender: NameKind) -> str:
        """The one who was spoken of last; one who is known to be a man or a woman goes first."""
        for turn in reversed(self.turns):
            people = [
                Mention(one.text, self.known.get(one.text, one.kind), one.plural)
                for one in turn.spoken_of(gender)
            ]
            fitting = [one for one in people if one.is_person(gender)]
            surely = [one for one in fitting if one.kind is gender]
            if found := (surely or fitting):
                return found[0].text
            if gender in turn.unclear:
                break
        own = self.kind(self.title) if self.title else None
        return self.title if Mention(self.title, own).is_person(gender) else ""

    def thing(self) -> str:
        """What "it" means: what the last question went on with, or asked for, or was about."""
        for turn in reversed(self.turns):
            if turn.centre and not self._is_several(turn, turn.centre):
                return turn.centre
            singles = [one for one in turn.spoken_of("it") if one.is_thing and not one.plural]
            named = [one for one in singles if one.answer and _is_name(one.text)]
            asked = [one for one in singles if not one.answer]
            asked.sort(key=lambda one: (not one.asked_for, not one.subject))
            order = named + asked if turn.names_its_answer else asked + named
            rest = [one for one in singles if one.answer]
            if found := (order + rest):
                return found[0].text
            if "it" in turn.unclear:
                break
        return self.title if self.title and self.kind(self.title) not in PEOPLE else ""

    def several(self) -> str:
        """What "they" means: several things or people, else a group with one name."""
        for turn in reversed(self.turns):
            if turn.centre and self._is_several(turn, turn.centre):
                return turn.centre
            spoken = turn.spoken_of("they")
            answer_first = turn.names_its_answer or turn.shape.wh in ("who", "whom")
            many = [one for one in spoken if one.plural]
            many.sort(key=lambda one: one.answer is not answer_first)
            if many:
                return many[0].text
            if found := next((one.text for one in spoken if one.any_one), ""):
                return plural_of(found.removeprefix("the "))
            if "they" in turn.unclear:
                return self.title
        group = self.thing()
        return group if _is_name(group) or GROUPS.search(group) else ""

    def place(self) -> str:
        """What "there" means: where something was, or a place that was asked for."""
        for turn in reversed(self.turns):
            things = [one for one in turn.mentions if one.is_thing]
            if turn.names_its_answer:
                things.sort(key=lambda one: not one.answer)
            for one in things:
                if one.place or (one.answer and turn.names_its_answer and _is_name(one.text)):
                    return one.text
        return self.title if self.title and self.kind_of(self.title) not in PEOPLE else ""

    def time(self) -> str:
        """The time that was spoken of last: "in 1931"; "" where there was none."""
        for turn in reversed(self.turns):
            for text in (turn.answer_text, turn.shape.rest):
                found = _time_in(text)
                if found:
                    return found
        return ""

    def was_just_said(self, text: str) -> bool:
        """Tell if the last turn spoke of it."""
        last = self.turns[-1] if self.turns else None
        if last is None:
            return text == self.title
        return text == last.centre or any(one.text == text for one in last.mentions)

    def topic(self) -> str:
        """What the dialog is about, whatever it is."""
        return self.thing() or self.several()

    def names(self) -> list[str]:
        """All that was spoken of, the last first, then the title; and the names within them."""
        turns = [(turn.centre, *(one.text for one in turn.mentions)) for turn in self.turns]
        spoken = [text.removeprefix("the ") for turn in reversed(turns) for text in turn]
        named = (name for text in spoken for name in (text, *CAPITALS.findall(text)))
        return [name for name in dict.fromkeys((*named, self.title)) if name]

    def _is_several(self, turn: SpokenTurn, text: str) -> bool:
        own = [one.plural for one in turn.mentions if one.text == text]
        return own[0] if own else is_plural(text)


def _is_name(text: str) -> bool:
    return is_capital(text.removeprefix("the ")) or is_code(text)


def _time_in(text: str) -> str:
    """A time with its preposition; "" where there is none.

    >>> _time_in("1931"), _time_in("revised the manual in November of 1996")
    ('in 1931', 'in November of 1996')
    """
    year = YEAR.search(text)
    if year is None:
        return ""
    before = text[: year.start()]
    lead = re.search(r"\b(?:in|on|during|by|since|until|before|after) (?:[\w,]+ ){0,4}$", before)
    if lead and len(lead[0].split()) <= LONGEST_TIME:
        last = re.findall(r"\b(?:in|on|during) (?:(?!in |on |during )[\w,]+ ){0,4}$", before)
        return (last[0] if last else "in ") + year[0]
    exact = re.search(rf"(?:\d+ )?(?:{MONTH.pattern})(?: \d+,?)?(?: of)? $", before)
    if exact:
        return f"{'on' if re.search(r'[0-9]', exact[0]) else 'in'} {exact[0]}{year[0]}"
    return f"in {year[0]}"
