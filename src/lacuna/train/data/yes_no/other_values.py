"""Another value of the same kind from the same texts, for a question to be answered with no."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from lacuna.train.data.names import MONTHS, NAME, NAME_WORD, NO_NAME, THINGS
from lacuna.train.data.text_search import sentences_of
from lacuna.train.data.word_lists import LARGE_PLACES
from lacuna.types import AnswerKind, Question

PLACE = re.compile(rf"\b(?:in|at|from|near) ((?:{NAME_WORD})(?: {NAME_WORD}){{0,2}})")
STARTS_SENTENCE = re.compile(r"(?:The|He|She|It|In|On|At|His|Her|This|They|Its|After|As|A|An) ")


class DateFormat(StrEnum):
    """How a date is written."""

    YEAR = r"(?:1[0-9]|20)\d\d"
    MONTH_YEAR = rf"(?:{MONTHS}),? \d{{4}}"
    DAY = rf"(?:(?:{MONTHS}) \d{{1,2}},? \d{{4}}|\d{{1,2}} (?:{MONTHS}),? \d{{4}})"

    @classmethod
    def of(cls, text: str) -> DateFormat | None:
        """The format of a text, if it is a date."""
        return next((form for form in cls if re.fullmatch(form, text)), None)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with one short answer, and the texts that it is about."""

    question: str
    answer: str
    answers: tuple[str, ...]
    value: float | None
    texts: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    """Subject, relation and object, from 2WikiMultihopQA's evidence."""
    peers: tuple[str, ...] = ()
    """Answers to other questions for the same kind of thing."""

    @classmethod
    def of(cls, question: Question, peers: tuple[str, ...] = ()) -> AnsweredQuestion | None:
        """From a question whose first answer is a short text or a number."""
        answers = question.gold.answers if question.gold else ()
        if not answers or answers[0].kind not in (AnswerKind.SPAN, AnswerKind.NUMBER):
            return None
        documents = (*([question.context] if question.context else []), *question.documents)
        raw = question.extra.get("evidences") or ()
        return cls(
            " ".join(question.text.split()),
            " ".join(answers[0].text.split()),
            tuple(text for answer in answers for text in answer.texts),
            next((answer.value for answer in answers if answer.value is not None), None),
            tuple(document.text for document in documents),
            tuple((fact[0], fact[1], fact[2]) for fact in raw if len(fact) == 3),
            peers,
        )

    def other_date(self, form: DateFormat, random: Random) -> str | None:
        """Another date in that format."""
        pattern = re.compile(rf"\b{form.value}\b")
        return self._pick((m.group() for t in self.texts for m in pattern.finditer(t)), random)

    def other_place(self, random: Random) -> str | None:
        """Another place, from sentences that do not mention the answer: no part or whole of it."""
        places = (m[1] for part in self._elsewhere() for m in PLACE.finditer(part))
        large = self.answer in LARGE_PLACES
        fit = (place for place in self._alike(places) if (place in LARGE_PLACES) == large)
        return self._pick(fit, random)

    def other_name(self, random: Random, *, person: bool) -> str | None:
        """Another name, from sentences that do not mention the answer.

        It follows a word that the answer follows too, so it is likely to be of the same kind.
        """
        before = set(self._words_before())
        names = (
            m.group()
            for part in self._elsewhere()
            for m in NAME.finditer(part)
            if _word_before(part, m.start()) in before
        )
        fit = (
            name
            for name in self._alike(names)
            if (len(name.split()) > 1 and not THINGS.search(name) if person else True)
        )
        return self._pick(fit, random)

    def other_of_kind(self, random: Random) -> str | None:
        """The answer to another question for the same kind of thing, or another name.

        It is from sentences that do not mention the answer, or else from none of the texts.
        """
        elsewhere = " ".join(self._elsewhere())
        large = self.answer in LARGE_PLACES
        fit = [
            peer
            for peer in self.peers
            if NAME.fullmatch(peer) and not NO_NAME.match(peer) and (peer in LARGE_PLACES) == large
        ]
        near = (peer for peer in fit if re.search(rf"\b{re.escape(peer)}\b", elsewhere))
        return (
            self._pick(near, random)
            or self.other_name(random, person=self.question.startswith("Who"))
            or self._pick((peer for peer in fit if not self._mentions(peer)), random)
        )

    def _mentions(self, name: str) -> bool:
        return any(name in text for text in self.texts)

    def _words_before(self) -> Iterable[str]:
        for text in self.texts:
            for match in re.finditer(re.escape(self.answer), text):
                if word := _word_before(text, match.start()):
                    yield word

    def _elsewhere(self) -> Iterable[str]:
        words = {word for word in re.findall(r"\w+", self.answer) if len(word) > 3}
        for text in self.texts:
            for start, end in sentences_of(text):
                if not words & set(re.findall(r"\w+", text[start:end])):
                    yield text[start:end]

    def _alike(self, names: Iterable[str]) -> Iterable[str]:
        words = len(self.answer.split())
        for name in names:
            bare = STARTS_SENTENCE.sub("", name).rstrip(".,'’").removesuffix("'s")
            if len(bare) > 3 and not NO_NAME.match(bare) and abs(len(bare.split()) - words) <= 1:
                yield bare

    def _pick(self, values: Iterable[str], random: Random) -> str | None:
        asked = self.question.casefold()
        fit: Sequence[str] = [
            value
            for value in dict.fromkeys(values)
            if value.casefold() not in asked
            and not any(_nested(value, answer) for answer in self.answers)
        ]
        return random.choice(fit) if fit else None


def _nested(one: str, other: str) -> bool:
    """Whether one is a part of the other, or all its words are words of the other."""
    a, b = set(one.casefold().split()), set(other.casefold().split())
    return a <= b or b <= a or one.casefold() in other.casefold()


def _word_before(text: str, start: int) -> str:
    """The word before a place; "" where a sentence begins."""
    match = re.search(r"([a-z]+) (?:the )?[\"“]?$", text[max(0, start - 30) : start])
    return match[1] if match else ""
