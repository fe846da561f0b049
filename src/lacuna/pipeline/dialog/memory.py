"""What a dialog has spoken of, and what of it is meant by "he", "it", "they", "there", "then"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lacuna.pipeline.dialog.kinds import KindOf, NameKind
from lacuna.pipeline.dialog.mentions import Mention, mentions_of
from lacuna.pipeline.dialog.phrases import phrases_of
from lacuna.pipeline.dialog.questions import QuestionShape
from lacuna.pipeline.dialog.words import BE, MONTH, YEAR, is_capital, is_code, is_plural, plural_of
from lacuna.types import Answer, AnswerKind

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
        """Whether the question asks which one it is, so that the answer is spoken of from then on.

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
        """Whether the last turn spoke of it."""
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
