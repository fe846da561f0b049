"""A stand-in for the model of questions with choices: real pieces, made-up likelihoods."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.models.gapqa.choice_gaps import ChoiceGap, GapResult, KnowledgeKind, KnowledgeLine
from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation
from lacuna.models.gapqa.statements import Statement
from lacuna.pipeline.gapqa_protocol import Progress
from lacuna.retrieve.knowledge.knowledge_base import back_off
from lacuna.retrieve.knowledge.wording import sentence_of
from lacuna.train.gapqa.key_span_rule import rule_span
from lacuna.types import Answer, Choice, Prediction, Question

MADE_OF = Direction(Relation.MADE_OF, inverse=True)


class GapStandIn:
    """Thinks that the second choice is made of the key span, and nothing much of the others."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def ask(self, question: Question) -> GapResult:
        self.asked.append(question)
        assert question.fact is not None
        span = rule_span(question.fact, question.text)
        text = question.fact[span.start : span.end]
        rest = 0.3 / (len(question.choices) - 1)
        choices = tuple(
            _gap(text, choice, 0.7 if place == 1 else rest)
            for place, choice in enumerate(question.choices)
        )
        label, said = question.choices[1]
        prediction = Prediction(Answer.choice(label, said), confidence=0.7)
        return GapResult(question, span, choices, 12.5, prediction)

    def ask_many(
        self, questions: Sequence[Question], *, progress: Progress | None = None
    ) -> list[GapResult]:
        return [self.ask(question) for question in questions]


def _gap(span: str, choice: Choice, probability: float) -> ChoiceGap:
    alone = KnowledgeLine(
        sentence_of(back_off(span, choice.text)), KnowledgeKind.BACK_OFF, "", _likely(0.4)
    )
    if probability < 0.5:
        return ChoiceGap(choice, probability, -0.5, -1.0, _likely(0.2), (alone,))
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
    return ChoiceGap(choice, probability, 0.5, 1.5, _likely(0.85), lines)


def _likely(made_of: float) -> tuple[float, ...]:
    return tuple(
        made_of if direction == MADE_OF else round(made_of * (place % 7) / 12, 3)
        for place, direction in enumerate(DIRECTIONS)
    )
