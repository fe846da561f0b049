"""BiDAF over one text: SQuAD's paragraphs, or core facts whose key span it finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.types import Answer, Document, Evidence, Gold, Prediction, Question, Role, Span
from lacuna_lab.data.sources import KGD, TRAIN, DataFile, read
from lacuna_lab.gapqa.data import fact_key, rule_spans, trusted
from lacuna_lab.papers.layers import StackedPointer, best_spans, pointer_loss
from lacuna_lab.papers.words import (
    NOWHERE,
    PieceEncoder,
    ReadingBody,
    TextBatch,
    TextExample,
    TokenArrays,
    TokenTable,
    WordRecipe,
    text_part,
    words_within,
)

SQUAD, KEY_SPANS = "squad", "key-spans"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanRecipe(WordRecipe):
    """One text, one span."""

    self_attention: bool = False
    """BiDAF has none."""
    learn_from: str = SQUAD
    """SQuAD 1.1, or key spans of core facts: KGD's, or by the rule where KGD is not at hand."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        if self.learn_from not in (SQUAD, KEY_SPANS):
            raise LacunaError(f"{where}: 'learn_from' must be {SQUAD} or {KEY_SPANS}.")


class SpanScores(NamedTuple):
    """Scores before any softmax, [texts, words] each."""

    start: Tensor
    end: Tensor


class SpanNetwork(nn.Module):
    """A network that finds where in a text an answer begins and ends."""

    def __init__(
        self, recipe: SpanRecipe, vectors: Tensor, encoder: PieceEncoder | None = None
    ) -> None:
        super().__init__()
        self.body = ReadingBody(recipe, vectors, encoder)
        self.start = StackedPointer(self.body.size, 0, recipe.hidden, recipe.dropout)
        self.end = StackedPointer(self.body.size, self.start.size, recipe.hidden, recipe.dropout)

    def forward(self, batch: TextBatch) -> SpanScores:
        lengths, allowed = batch.read_lengths, batch.paragraphs != NOWHERE
        states = self.body(batch)  # [texts, words, size]
        start_states, start = self.start(states, None, lengths, allowed)
        return SpanScores(start, self.end(states, start_states, lengths, allowed)[1])

    def loss(self, batch: TextBatch) -> Tensor:
        """Of start and end."""
        scores = self(batch)
        return pointer_loss(scores.start, batch.starts) + pointer_loss(scores.end, batch.ends)


# BiDAF, learned and read: SQuAD's questions, or core facts with their key spans.
#
# A core fact is the text, and the question stem is the question: the key span is often what
# answers it (GapQA, section 4.1).


LONGEST_ANSWER = 20
"""Words."""
FACT = "fact"
ONLY = 0
"""The number of the one paragraph."""


@dataclass(frozen=True, slots=True)
class SpanTask:
    """Spans of one text by a recipe."""

    recipe: SpanRecipe

    def files(self, data: Path) -> list[Path]:
        return [self._file(data).find(data)]

    def _file(self, data: Path) -> DataFile:
        if self.recipe.learn_from != KEY_SPANS:
            return TRAIN["squad1"]
        return TRAIN["openbookqa"] if KGD.find_optional(data) is None else KGD

    def questions(self, data: Path) -> Iterator[Question]:
        questions = read(self._file(data), data)
        if self.recipe.learn_from != KEY_SPANS:
            yield from questions
            return
        known = [question for question in questions if question.fact and trusted(question)]
        spans = rule_spans(known)
        for question in known:
            yield over_fact(question, spans[fact_key(question)])

    def trainable(self, question: Question, table: TokenTable) -> TextExample | None:
        if question.context is None or question.gold is None or not question.gold.answers:
            return None
        example = self.example(question, table, self.recipe.longest)
        return example if len(example.starts) and len(example.question) else None

    def example(self, question: Question, table: TokenTable, longest: int) -> TextExample:
        if question.context is None:
            raise LacunaError(
                f"Question {question.id!r} comes with no text to read, and this system answers "
                "from one text alone. Give a file of squad."
            )
        tokens = table.tokens(question.context.text)
        numbers, places = tokens.numbers[:longest], tokens.places[:longest]
        if not len(numbers):
            numbers, places = np.array([table.number("?")], np.int32), np.zeros((1, 2), np.int32)
        found = [
            words
            for answer in (question.gold.answers if question.gold else ())
            for place in answer.found_at[:1]
            if (words := words_within(places, place.start, place.end)) is not None
        ]
        asked = table.tokens(question.text).numbers
        paragraphs = np.full((len(places), 1), ONLY, np.int32)
        return TextExample(
            context=numbers,
            places=np.concatenate([paragraphs, places], 1),
            question=asked if len(asked) else np.array([table.number("?")], np.int32),
            starts=np.array([first for first, _ in found], np.int32),
            ends=np.array([last for _, last in found], np.int32),
            group=question.context.text,
        )

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> SpanNetwork:
        return SpanNetwork(self.recipe, vectors, encoder)

    def batch(self, examples: Sequence[TextExample], tokens: TokenArrays) -> TextBatch:
        return TextBatch(**text_part(examples, tokens))

    def predictions(
        self,
        network: SpanNetwork,
        batch: TextBatch,
        questions: Sequence[Question],
        examples: Sequence[TextExample],
    ) -> list[Prediction]:
        """The most likely span; there is always one."""
        scores = network(batch)
        found = best_spans(scores.start, scores.end, batch.paragraphs, LONGEST_ANSWER)
        first, last, likely = (part.tolist() for part in found)
        return [
            Prediction(_answer(question, example, first[row], last[row]), confidence=likely[row])
            for row, (question, example) in enumerate(zip(questions, examples, strict=True))
        ]


def over_fact(question: Question, span: Span | None = None) -> Question:
    """A question of OpenBookQA over its core fact, with the key span as the answer if it is known.

    >>> asked = Question("1", "What lets heat pass?", fact="metal lets heat pass")
    >>> over_fact(asked, Span(0, 5)).gold.answers[0].text
    'metal'
    """
    fact = question.fact or ""
    gold = None
    if span is not None:
        place = Evidence(FACT, span.start, span.end, Role.KEY_SPAN)
        gold = Gold((Answer.span(fact[span.start : span.end], place),))
    return replace(question, context=Document(FACT, fact), choices=(), fact=None, gold=gold)


def _answer(question: Question, example: TextExample, first: int, last: int) -> Answer:
    assert question.context is not None
    start, end = int(example.places[first, 1]), int(example.places[last, 2])
    place = Evidence(question.context.title, start, end, Role.ANSWER)
    return Answer.span(question.context.text[start:end], place)
