"""What a person gets for a question, and the steps to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, Any

from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.places import Place
from lacuna.types import Answer, AnswerKind, Document, Gap, Prediction, Span

if TYPE_CHECKING:
    from lacuna.models.gapqa.gapqa_reader import ScoredChoice


class Stage(StrEnum):
    """The stages that a question passes, in this order."""

    START = "start"
    """A context to begin with is searched for, where none was given."""
    SPOT = "spot"
    """Which links of the context may hold what is missing; with choices, the fact's key span."""
    FIND = "find"
    """Windows of the linked (or found) documents, ranked; with choices, lines of knowledge."""
    READ = "read"
    """The context and the selected windows, read together."""
    ANSWER = "answer"
    """The decision: this answer, or none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a step considered.

    For SPOT it is a link: ``source`` is the document with the link, ``start`` and ``end`` are
    places in it, and ``title`` is where it leads. For START and FIND it is a stretch of the
    document of that title. For READ and ANSWER it is a possible answer, with its ``text``, and
    where it stands if that is known. Of a question with choices, FIND has lines of knowledge with
    their source, and READ each choice with its clearest line.
    """

    title: str
    score: float
    chosen: bool
    text: str = ""
    start: int | None = None
    end: int | None = None
    section: tuple[str, ...] = ()
    dangling: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One stage with its candidates, the best first, and the time it took."""

    stage: Stage
    hop: int
    message: str
    """What happened, in one plain sentence."""
    candidates: tuple[Candidate, ...]
    milliseconds: float


OnStep = Callable[[Step], None]
"""Called with each step when it is done."""


ALTERNATIVES = 5
"""Other answers that a result tells of."""
FILLING = ("relation", "filled")
"""The fields of a gap that only a question with choices has."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence (or a few) of a document that speaks for the answer.

    All numbers are offsets into the text of the document of that title: ``marks`` are the parts
    that the answer was taken from. ``followed`` is the link of the context that led there, by its
    offsets in the context; None for the context itself and for what a search found. ``place`` is
    where one can go and look: the file and line, page or row of the first mark.
    """

    document: str
    section: tuple[str, ...]
    text: str
    start: int
    end: int
    marks: tuple[Span, ...] = ()
    followed: Span | None = None
    place: Place | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "place": self.place.as_json() if self.place else None}


class Degree(StrEnum):
    """How firmly an answer is given."""

    ANSWER = "answer"
    PROBABLE = "probable"
    """The likeliest answer, but less sure than was asked for."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer that was considered, how likely it is right, and what speaks for it."""

    answer: Answer
    confidence: float
    quotes: tuple[Quote, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "answer": {"text": self.answer.text, **asdict(self.answer)},
            "confidence": self.confidence,
            "quotes": [quote.as_json() for quote in self.quotes],
        }


@dataclass(frozen=True, slots=True)
class Result:
    """An answer with everything that explains it.

    ``context`` is the text that the question was asked of, given or found. ``prediction`` has the
    answer (always one; of the kind none where nothing answers), the confidence, the gaps and the
    dialog acts. ``alternatives`` are other answers that were considered, the likeliest first, also
    where none was given. ``probable`` says that the answer is less sure than was asked for.
    ``read_as`` is what a follow-up was understood as, or the part of a long question that was read,
    where that is not what was typed. A question with choices has the ``fact`` that it begins with,
    the place of its ``key_span``, and all ``choices`` in the order of the question; its quotes are
    lines of knowledge.
    """

    question: str
    context: Document | None
    prediction: Prediction
    quotes: tuple[Quote, ...]
    steps: tuple[Step, ...]
    probable: bool = False
    alternatives: tuple[Alternative, ...] = ()
    read_as: str = ""
    fact: str = ""
    key_span: Span | None = None
    choices: tuple[ScoredChoice, ...] = ()

    @property
    def answer(self) -> Answer:
        """The answer; of the kind none where nothing answers."""
        return self.prediction.answer or Answer.none()

    @property
    def degree(self) -> Degree:
        """How firmly the answer is given."""
        if self.answer.kind is AnswerKind.NONE:
            return Degree.NONE
        return Degree.PROBABLE if self.probable else Degree.ANSWER

    @property
    def confidence(self) -> float | None:
        """How likely the answer is right, from 0 to 1; None where the reader does not say."""
        return self.prediction.confidence

    @property
    def milliseconds(self) -> float:
        """The time that all steps took."""
        return sum(step.milliseconds for step in self.steps)

    @property
    def chosen(self) -> ScoredChoice | None:
        """The choice that is the answer; None for a question without choices."""
        return max(self.choices, key=lambda scored: scored.probability, default=None)

    def as_json(self, *, trace: bool = True) -> dict[str, Any]:
        """Plain values for JSON; the context by its title."""
        answer = asdict(self.answer)
        values: dict[str, Any] = {
            "question": self.question,
            "context": self.context.title if self.context else None,
            "answer": {"text": self.answer.text, **answer},
            "degree": self.degree.value,
            "confidence": self.prediction.confidence,
            "alternatives": [other.as_json() for other in self.alternatives],
            "read_as": self.read_as or None,
            "quotes": [quote.as_json() for quote in self.quotes],
            "gaps": [_gap_as_json(gap) for gap in self.prediction.gaps],
            "acts": asdict(self.prediction.acts) if self.prediction.acts else None,
            "milliseconds": self.milliseconds,
        }
        if self.choices:
            values |= self._choices_as_json()
        else:
            for gap, name in product(values["gaps"], FILLING):
                del gap[name]
        if trace:
            values["steps"] = [step_as_json(step) for step in self.steps]
        return values

    def _choices_as_json(self) -> dict[str, Any]:
        start, end = self.key_span or Span(0, 0)
        return {
            "fact": self.fact,
            "key_span": {"start": start, "end": end, "text": self.fact[start:end]},
            "relations": [direction.name for direction in DIRECTIONS],
            "choices": [scored.as_json() for scored in self.choices],
        }


def _gap_as_json(gap: Gap) -> dict[str, Any]:
    place = gap.nearest_place
    return {**asdict(gap), "nearest_place": place.as_json() if place else None}


def step_as_json(step: Step) -> dict[str, Any]:
    """A step as plain values; a score that JSON cannot express, of a link not read, is None."""
    values = asdict(step)
    for candidate in values["candidates"]:
        if not math.isfinite(candidate["score"]):
            candidate["score"] = None
    return values
