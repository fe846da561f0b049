"""A stand-in for GapQA: real knowledge and real key spans, and a simple rule for a model.

A choice is the likelier the more is found for it; what relates it is what its best triple says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import ScoredChoice
from lacuna.models.gapqa.relations import (
    DIRECTIONS,
    Direction,
    Relation,
    direction_of,
    triple_states,
)
from lacuna.models.gapqa.rows import KnowledgeKind, KnowledgeLine
from lacuna.pipeline.gapqa import ChoiceResult, gap_result
from lacuna.pipeline.result import Stage, Step
from lacuna.retrieve.knowledge.build import Triple
from lacuna.retrieve.knowledge.knowledge_base import Knowledge, KnowledgeBase, back_off
from lacuna.retrieve.knowledge.search import sentence_of
from lacuna.types import Choice, Question
from lacuna_lab.gapqa.recipe import rule_span

IS_A = Direction(Relation.IS_A, inverse=True)


class GapReader:
    """Knows one model by name."""

    loaded: tuple[tuple[str, int | None], ...] = ()

    @classmethod
    def load(cls, model: str | Path = "gapqa", *, threads: int | None = None) -> GapReader:
        if model != "gapqa":
            raise LacunaError(f"There is no model {model}.")
        GapReader.loaded += ((str(model), threads),)
        return cls()


class GapAsker:
    """Counts what is known of each choice."""

    asked: tuple[Question, ...] = ()

    def __init__(self, reader: GapReader, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge

    def ask(self, question: Question) -> ChoiceResult:
        assert question.gold is None
        assert question.fact
        GapAsker.asked += (question,)
        span = rule_span(question.fact, question.text)
        words = question.fact[span.start : span.end]
        known = [self._knowledge.about(words, choice.text) for choice in question.choices]
        weights = [1 + len(one.sentences) + 3 * len(one.triples) for one in known]
        choices = tuple(
            _scored(choice, one, weight / sum(weights))
            for choice, one, weight in zip(question.choices, known, weights, strict=True)
        )
        steps = Step(Stage.READ, 0, "All was read.", (), 12.3), Step(Stage.ANSWER, 0, "", (), 0)
        return replace(gap_result(question, span, choices), steps=steps)

    def ask_many(self, questions: Sequence[Question]) -> list[ChoiceResult]:
        return [self.ask(question) for question in questions]


def _scored(choice: Choice, known: Knowledge, probability: float) -> ScoredChoice:
    alone = sentence_of(back_off(known.span, known.choice))
    lines = [
        *(
            KnowledgeLine(one.text, KnowledgeKind.SENTENCE, one.source, _sure(IS_A, 0.5))
            for one in known.sentences
        ),
        *(_stating(known, one.triple) for one in known.triples),
        KnowledgeLine(alone, KnowledgeKind.BACK_OFF, "", _sure(IS_A, 0.4)),
    ]
    scores = [line.relations for line in lines]
    mean = tuple(sum(column) / len(lines) for column in zip(*scores, strict=True))
    return ScoredChoice(choice, known.span, probability, 1.25, -0.5, mean, tuple(lines))


def _stating(known: Knowledge, triple: Triple) -> KnowledgeLine:
    sure = _sure(direction_of(triple.relation, span_is_head=False) or IS_A, 0.9)
    states = triple_states(triple, known.span, known.choice, sure)
    return KnowledgeLine(
        sentence_of(triple), KnowledgeKind.TRIPLE, ", ".join(triple.sources), sure, states
    )


def _sure(direction: Direction, of: float) -> tuple[float, ...]:
    return tuple(of if one == direction else 0.1 for one in DIRECTIONS)
