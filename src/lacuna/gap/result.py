"""What a person gets for a question with choices: the choice, the gap, and what fills it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lacuna.spot.relations import DIRECTIONS, Direction
from lacuna.types import Choice, Prediction, Question, Span


class Kind(StrEnum):
    """Where a line of knowledge is from."""

    SENTENCE = "sentence"
    TRIPLE = "triple"
    BACK_OFF = "back-off"
    """The span and the choice side by side: what the encoder knows of the two."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of knowledge, and how likely each relation is by it alone (as ``DIRECTIONS``)."""

    text: str
    kind: Kind
    source: str
    relations: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChoiceGap:
    """One choice: how likely it is the answer, what speaks for it, and its gap.

    ``relations`` says how likely each relation is by all lines together.
    """

    choice: Choice
    probability: float
    fact_score: float
    relation_score: float
    relations: tuple[float, ...]
    lines: tuple[Line, ...]

    @property
    def direction(self) -> Direction:
        """The likeliest relation."""
        return DIRECTIONS[_best(self.relations)]

    @property
    def found(self) -> tuple[Line, ...]:
        """All lines but the back-off, those first that say the likeliest relation most clearly."""
        found = [line for line in self.lines if line.kind is not Kind.BACK_OFF]
        column = DIRECTIONS.index(self.direction)
        return tuple(sorted(found, key=lambda line: -line.relations[column]))

    @property
    def support(self) -> Line | None:
        """The best of what was found, else the back-off; None for a model without knowledge."""
        return next(iter((*self.found, *self.lines)), None)


@dataclass(frozen=True, slots=True)
class GapResult:
    """An answer with the gap that it rests on. ``choices`` are in the order of the question."""

    question: Question
    key_span: Span
    choices: tuple[ChoiceGap, ...]
    milliseconds: float
    prediction: Prediction

    @property
    def fact(self) -> str:
        """The core fact."""
        return self.question.fact or ""

    @property
    def span_text(self) -> str:
        """The key span in words."""
        return self.fact[self.key_span.start : self.key_span.end]

    @property
    def chosen(self) -> ChoiceGap:
        """The choice that is the answer."""
        return max(self.choices, key=lambda one: one.probability)

    @property
    def known(self) -> bool:
        """Whether anything but the back-off was found for the chosen one."""
        return bool(self.chosen.found)

    def filled(self, one: ChoiceGap) -> str:
        """The gap of a choice, filled with its likeliest relation, as a sentence."""
        return one.direction.sentence(self.span_text, one.choice.text)

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "question": self.question.text,
            "fact": self.fact,
            "key_span": {**self.key_span._asdict(), "text": self.span_text},
            "answer": {"label": self.chosen.choice.label, "text": self.chosen.choice.text},
            "confidence": self.prediction.confidence,
            "relation": self.chosen.direction.name,
            "filled_gap": self.filled(self.chosen),
            "knowledge_found": self.known,
            "relations": [direction.name for direction in DIRECTIONS],
            "choices": [
                {
                    **one.choice._asdict(),
                    "probability": one.probability,
                    "fact_score": one.fact_score,
                    "relation_score": one.relation_score,
                    "relation": one.direction.name,
                    "filled_gap": self.filled(one),
                    "relations": one.relations,
                    "lines": [
                        {
                            "text": line.text,
                            "kind": line.kind,
                            "source": line.source,
                            "relations": line.relations,
                        }
                        for line in one.lines
                    ],
                }
                for one in self.choices
            ],
            "milliseconds": self.milliseconds,
        }


def _best(scores: tuple[float, ...]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)
