"""HotpotQA's baseline, learned and read: from questions to examples, from scores to predictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from lacuna.datasets.hotpotqa.settings import SETTINGS
from lacuna.train.layers.pointer import best_spans
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.hotpotqa.example import KINDS, UNKNOWN_KIND, HotpotExample, hotpot_example
from lacuna.train.papers.hotpotqa.network import (
    HotpotBatch,
    HotpotNetwork,
    HotpotScores,
    hotpot_batch,
)
from lacuna.train.papers.hotpotqa.questions import source_files, source_questions
from lacuna.train.papers.hotpotqa.recipe import HotpotRecipe
from lacuna.train.papers.tokens import TokenArrays, TokenTable
from lacuna.types import (
    Answer,
    AnswerKind,
    Evidence,
    Prediction,
    Question,
    Role,
    SupportingFact,
)

LONGEST_ANSWER = 15
"""Words."""


@dataclass(frozen=True, slots=True)
class HotpotTask:
    """HotpotQA by a recipe."""

    recipe: HotpotRecipe

    def files(self, data: Path) -> list[Path]:
        return source_files(self.recipe.sources, data)

    def questions(self, data: Path) -> Iterator[Question]:
        for question in source_questions(self.recipe.sources, data):
            if question.extra.get("level") not in self.recipe.leave_out_levels:
                yield question

    def trainable(self, question: Question, table: TokenTable) -> HotpotExample | None:
        if question.gold is None or not question.gold.supporting_facts:
            return None
        example = self.example(question, table, self.recipe.longest)
        return None if example.kind == UNKNOWN_KIND else example

    def example(self, question: Question, table: TokenTable, longest: int) -> HotpotExample:
        if question.gold is None:  # it was arranged by the setting it is evaluated in
            return hotpot_example(question, None, table, longest, all_support=False)
        arranged = SETTINGS[self.recipe.setting].arrange(question)
        all_support = self.recipe.setting == "supporting-facts-only"
        return hotpot_example(arranged, question.gold, table, longest, all_support=all_support)

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> HotpotNetwork:
        return HotpotNetwork(self.recipe, vectors, encoder)

    def batch(self, examples: Sequence[HotpotExample], tokens: TokenArrays) -> HotpotBatch:
        return hotpot_batch(examples, tokens, by_paragraph=not self.recipe.read_whole)

    def predictions(
        self,
        network: HotpotNetwork,
        batch: HotpotBatch,
        questions: Sequence[Question],
        examples: Sequence[HotpotExample],
    ) -> list[Prediction]:
        """Yes, no or a span first; then the most likely span."""
        scores: HotpotScores = network(batch)
        spans = best_spans(scores.start, scores.end, batch.paragraphs, LONGEST_ANSWER)
        first, last, likely = (part.cpu().tolist() for part in spans)
        kinds = scores.kind.softmax(1).cpu()
        support = scores.support.sigmoid().cpu().tolist()
        predictions = []
        for row, (question, example) in enumerate(zip(questions, examples, strict=True)):
            kind = int(kinds[row].argmax())
            confidence = float(kinds[row, kind])
            answer = _answer(KINDS[kind], question, example, first[row], last[row])
            if answer.kind is AnswerKind.SPAN:
                confidence *= likely[row]
            facts = self._facts(question, example, support[row])
            predictions.append(Prediction(answer, supporting_facts=facts, confidence=confidence))
        return predictions

    def _facts(
        self, question: Question, example: HotpotExample, likely: Sequence[float]
    ) -> tuple[SupportingFact, ...] | None:
        if not self.recipe.support_weight:
            return None
        return tuple(
            SupportingFact(question.documents[paragraph].title, number)
            for (*_, paragraph, number), chance in zip(
                example.sentences.tolist(), likely, strict=False
            )
            if chance > self.recipe.support_threshold
        )


def _answer(
    kind: AnswerKind, question: Question, example: HotpotExample, first: int, last: int
) -> Answer:
    if kind is not AnswerKind.SPAN:
        return Answer(kind)
    paragraph, start, _ = example.places[first].tolist()
    if paragraph < 0:
        return Answer.none()  # there was nothing to read
    document, end = question.documents[paragraph], int(example.places[last, 2])
    where = Evidence(document.title, start, end, Role.ANSWER)
    return Answer.span(document.text[start:end], where)
