"""A stand-in for the model of questions with choices: real pieces, made-up likelihoods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lacuna.models.gapqa.gapqa_reader import ScoredChoice
from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation, Statement
from lacuna.models.gapqa.rows import KnowledgeKind, KnowledgeLine
from lacuna.pipeline.gapqa import ChoiceResult, gap_result
from lacuna.pipeline.result import Candidate, Stage, Step
from lacuna.retrieve.knowledge.knowledge_base import back_off
from lacuna.retrieve.knowledge.search import sentence_of
from lacuna.types import Choice, Question
from lacuna_lab.gapqa.recipe import rule_span

MADE_OF = Direction(Relation.MADE_OF, inverse=True)


class GapStandIn:
    """Thinks that the second choice is made of the key span, and nothing much of the others."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def ask(self, question: Question) -> ChoiceResult:
        self.asked.append(question)
        assert question.fact is not None
        span = rule_span(question.fact, question.text)
        text = question.fact[span.start : span.end]
        rest = 0.3 / (len(question.choices) - 1)
        choices = tuple(
            _scored(text, choice, 0.7 if place == 1 else rest)
            for place, choice in enumerate(question.choices)
        )
        likeliest = Candidate("", 0.7, True, question.choices[1].text)
        step = Step(Stage.ANSWER, 0, "B is the likeliest.", (likeliest,), 12.5)
        return replace(gap_result(question, span, choices), steps=(step,))

    def ask_many(self, questions: Sequence[Question]) -> list[ChoiceResult]:
        return [self.ask(question) for question in questions]


def _scored(span: str, choice: Choice, probability: float) -> ScoredChoice:
    alone = KnowledgeLine(
        sentence_of(back_off(span, choice.text)), KnowledgeKind.BACK_OFF, "", _likely(0.4)
    )
    if probability < 0.5:
        return ScoredChoice(choice, span, probability, -0.5, -1.0, _likely(0.2), (alone,))
    lines = (
        KnowledgeLine(
            f"Most of {choice.text} is {span}.", KnowledgeKind.SENTENCE, "notes", _likely(0.62)
        ),
        KnowledgeLine(
            f"{choice.text} is made of {span}",
            KnowledgeKind.TRIPLE,
            "triples",
            _likely(0.97),
            Statement(1.0, 0.97, MADE_OF),
        ),
        alone,
    )
    return ScoredChoice(choice, span, probability, 0.5, 1.5, _likely(0.85), lines)


def _likely(made_of: float) -> tuple[float, ...]:
    return tuple(
        made_of if direction == MADE_OF else round(made_of * (place % 7) / 12, 3)
        for place, direction in enumerate(DIRECTIONS)
    )
