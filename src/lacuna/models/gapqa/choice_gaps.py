"""What a person gets for a question with choices: the choice, the gap, and what fills it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.statements import Statement
from lacuna.types import Choice, Prediction, Question, Span


class KnowledgeKind(StrEnum):
    """Where a line of knowledge is from."""

    SENTENCE = "sentence"
    TRIPLE = "triple"
    BACK_OFF = "back-off"
    """The span and the choice side by side: what the encoder knows of the two."""


@dataclass(frozen=True, slots=True)
class KnowledgeLine:
    """A line of knowledge, and how likely each relation is by it alone (as ``DIRECTIONS``).

    ``statement`` is what it says of span and choice, if it says it plainly.
    """

    text: str
    kind: KnowledgeKind
    source: str
    relations: tuple[float, ...]
    statement: Statement | None = None


class GapStatus(StrEnum):
    """How it stands between the key span and a choice."""

    FILLED = "filled"
    OPEN = "open"
    """Nothing that was found states a relation."""
    NONE = "none"
    """They are the same words, so nothing is missing."""
    UNSEEN = "unseen"
    """The model looks at no knowledge."""


@dataclass(frozen=True, slots=True)
class ChoiceGap:
    """One choice: how likely it is the answer, what speaks for it, and its gap.

    ``relations`` says how likely each relation is by all lines together: by this the model chose.
    Of ``lines``, the last is the back-off.
    """

    choice: Choice
    probability: float
    fact_score: float
    relation_score: float
    relations: tuple[float, ...]
    lines: tuple[KnowledgeLine, ...]
    is_span: bool = False
    """Whether the choice is the key span in the same words."""

    @property
    def gap(self) -> GapStatus:
        """Whether there is a gap, and whether it is filled."""
        if not self.lines:
            return GapStatus.UNSEEN
        if self.is_span:
            return GapStatus.NONE
        return GapStatus.OPEN if self.filling is None else GapStatus.FILLED

    @property
    def filling(self) -> Statement | None:
        """What fills the gap: the clearest statement, which the first line of ``found`` makes."""
        if self.is_span or not self.found:
            return None
        return self.found[0].statement

    @property
    def found(self) -> tuple[KnowledgeLine, ...]:
        """All lines but the back-off, the clearest first."""
        found = [line for line in self.lines if line.kind is not KnowledgeKind.BACK_OFF]
        return tuple(sorted(found, key=_clarity, reverse=True))


def _clarity(line: KnowledgeLine) -> tuple[bool, bool, float, float]:
    """Lines that state a relation come first: triples, which do so in as many words, before
    sentences. Then come all others, by how likely they say anything."""
    if line.statement is None:
        return False, False, 0.0, max(line.relations)
    about, likely, _ = line.statement
    return True, line.kind is KnowledgeKind.TRIPLE, about, likely


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

    def filled(self, one: ChoiceGap) -> str | None:
        """The filled gap of a choice as a sentence; None where nothing fills it."""
        if one.filling is None:
            return None
        return one.filling.direction.sentence(self.span_text, one.choice.text)

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "question": self.question.text,
            "fact": self.fact,
            "key_span": {**self.key_span._asdict(), "text": self.span_text},
            "answer": {"label": self.chosen.choice.label, "text": self.chosen.choice.text},
            "confidence": self.prediction.confidence,
            **self._gap_as_json(self.chosen),
            "knowledge_found": self.known,
            "relations": [direction.name for direction in DIRECTIONS],
            "choices": [
                {
                    **one.choice._asdict(),
                    "probability": one.probability,
                    "fact_score": one.fact_score,
                    "relation_score": one.relation_score,
                    **self._gap_as_json(one),
                    "about": None if one.filling is None else one.filling.about,
                    "relations": one.relations,
                    "lines": [
                        {
                            "text": line.text,
                            "kind": line.kind,
                            "source": line.source,
                            "relations": line.relations,
                        }
                        for line in (*one.found, *one.lines[-1:])
                    ],
                }
                for one in self.choices
            ],
            "milliseconds": self.milliseconds,
        }

    def _gap_as_json(self, one: ChoiceGap) -> dict[str, Any]:
        return {
            "gap": one.gap,
            "relation": None if one.filling is None else one.filling.direction.name,
            "filled_gap": self.filled(one),
        }
