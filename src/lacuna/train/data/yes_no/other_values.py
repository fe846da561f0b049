"""Another value of the same shape from the same texts: what a contradicted question asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from random import Random

from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.train.data.large_places import LARGE_PLACES
from lacuna.types import AnswerKind, Question, Span

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NAME_WORD = r"[A-Z][\w'’.-]*[\w.]"
NAME = re.compile(rf"{NAME_WORD}(?: (?:(?:of|the|de|van|von) )?{NAME_WORD}){{0,4}}")
PLACE = re.compile(rf"\b(?:in|at|from|near) ((?:{NAME_WORD})(?: {NAME_WORD}){{0,2}})")
NO_NAME = re.compile(
    rf"(?:{MONTHS}|The|He|She|It|In|On|At|His|Her|This|They|Its|After|As|A|An|[A-Z])\b(?: \d+)?$"
)
THINGS = re.compile(
    r"\b(?:University|Bank|Company|Party|Awards?|League|Channel|Mountain|Side|City|County|River|House"
    r"|Church|Island|School|College|Band|Records|Studios?|Group|Museum|Football|Cup|Army|War|Street"
    r"|Film|Films|Festival|Theatre|Series|Club|Association|Division|States|Kingdom|Sea|Lake)\b"
)
STARTS_SENTENCE = re.compile(r"(?:The|He|She|It|In|On|At|His|Her|This|They|Its|After|As|A|An) ")


class Shape(StrEnum):
    """How a value looks."""

    YEAR = r"(?:1[0-9]|20)\d\d"
    MONTH_YEAR = rf"(?:{MONTHS}),? \d{{4}}"
    DAY = rf"(?:(?:{MONTHS}) \d{{1,2}},? \d{{4}}|\d{{1,2}} (?:{MONTHS}),? \d{{4}})"

    @classmethod
    def of(cls, text: str) -> Shape | None:
        """The shape of a date, if it is one."""
        return next((shape for shape in cls if re.fullmatch(shape, text)), None)


@dataclass(frozen=True, slots=True)
class Source:
    """A question with one short answer, and the texts it is asked of."""

    question: str
    answer: str
    answers: tuple[str, ...]
    value: float | None
    texts: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    """Who, what and which, as 2WikiMultihopQA's evidence says it."""
    peers: tuple[str, ...] = ()
    """Answers to other questions for the same kind of thing."""

    @classmethod
    def of(cls, question: Question, peers: tuple[str, ...] = ()) -> Source | None:
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
            tuple((one[0], one[1], one[2]) for one in raw if len(one) == 3),
            peers,
        )

    def other_date(self, shape: Shape, random: Random) -> str | None:
        """Another date of that shape."""
        pattern = re.compile(rf"\b{shape.value}\b")
        return self._pick((m.group() for t in self.texts for m in pattern.finditer(t)), random)

    def other_place(self, random: Random) -> str | None:
        """Another place, from sentences that do not speak of the answer: no part or whole of it."""
        found = (m[1] for part in self._elsewhere() for m in PLACE.finditer(part))
        large = self.answer in LARGE_PLACES
        fit = (place for place in self._alike(found) if (place in LARGE_PLACES) == large)
        return self._pick(fit, random)

    def other_name(self, random: Random, *, person: bool) -> str | None:
        """Another name, from sentences that do not speak of the answer: no fellow of it.

        It stands behind a word that the answer stands behind too, so that it is of its kind.
        """
        before = set(self._words_before())
        found = (
            m.group()
            for part in self._elsewhere()
            for m in NAME.finditer(part)
            if _word_before(part, m.start()) in before
        )
        fit = (
            name
            for name in self._alike(found)
            if (len(name.split()) > 1 and not THINGS.search(name) if person else True)
        )
        return self._pick(fit, random)

    def other_of_kind(self, random: Random) -> str | None:
        """The answer to another question for the same kind of thing, or another name.

        It stands in sentences that do not speak of the answer, or else nowhere in the texts.
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
            or self._pick((peer for peer in fit if not self._told(peer)), random)
        )

    def _told(self, name: str) -> bool:
        return any(name in text for text in self.texts)

    def _words_before(self) -> Iterable[str]:
        for text in self.texts:
            for found in re.finditer(re.escape(self.answer), text):
                if word := _word_before(text, found.start()):
                    yield word

    def _elsewhere(self) -> Iterable[str]:
        told = {word for word in re.findall(r"\w+", self.answer) if len(word) > 3}
        for text in self.texts:
            for start, end in sentences_of(text):
                if not told & set(re.findall(r"\w+", text[start:end])):
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
            and not any(_nested(value, one) for one in self.answers)
        ]
        return random.choice(fit) if fit else None


@lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[Span, ...]:
    """The sentences of a text, which many questions are asked of."""
    return tuple(sentence_spans(text, [Span(0, len(text))]))


def _nested(one: str, other: str) -> bool:
    """One is a part of the other, or names the same with other words."""
    a, b = set(one.casefold().split()), set(other.casefold().split())
    return a <= b or b <= a or one.casefold() in other.casefold()


def _word_before(text: str, start: int) -> str:
    """The word before a place; "" where a sentence begins."""
    found = re.search(r"([a-z]+) (?:the )?[\"“]?$", text[max(0, start - 30) : start])
    return found[1] if found else ""
