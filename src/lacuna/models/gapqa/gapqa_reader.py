"""Reads questions with choices: where the key span is, and what fills the gap to each choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lacuna.errors import LacunaError
from lacuna.models.gapqa.backend import ChoiceScores, Floats, GapQABackend, OnnxGapQABackend
from lacuna.models.gapqa.knowledge_lines import knowledge_lines, probabilities
from lacuna.models.gapqa.question_rows import Shown, question_rows
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.gapqa.scored_choice import ScoredChoice
from lacuna.models.model_folder import DEFAULTS, ModelFolder, ModelSystem, find_model
from lacuna.models.reader.decode import log_softmax
from lacuna.models.tokenizer import Tokenizer
from lacuna.models.torch_backend import load_torch_backend
from lacuna.retrieve.knowledge import Knowledge
from lacuna.types import Question, Span

DEFAULT = DEFAULTS[ModelSystem.GAPQA]
LONGEST_SPAN = 16
"""Word pieces of a key span."""


class GapQAReader:
    """A GapQA model, ready to read; several threads may share one."""

    def __init__(
        self, folder: ModelFolder, backend: GapQABackend, tokenizer: Tokenizer, spans: GapQABackend
    ) -> None:
        self.folder = folder
        self._backend, self._tokenizer, self._spans = backend, tokenizer, spans
        self._shown = Shown(**folder.config["shown"])
        self._temperature = folder.temperature

    @classmethod
    def load(cls, model: str | Path = DEFAULT, *, threads: int | None = None) -> GapQAReader:
        """The shipped model by its name, or any folder that training wrote."""
        folder = find_model(model, system=ModelSystem.GAPQA)
        span_finder = folder
        if not folder.tokenizer.is_file():  # a BiLSTM, which finds no key spans
            span_finder = find_model(DEFAULT, system=ModelSystem.GAPQA)
        tokenizer = Tokenizer(span_finder.tokenizer)
        spans = _backend(span_finder, tokenizer, threads)
        backend = spans if span_finder is folder else _backend(folder, tokenizer, threads)
        return cls(folder, backend, tokenizer, spans)

    def check(self, question: Question) -> None:
        """Refuse what the model cannot read: a text without any word piece, or too many of them."""
        fact = question.fact or ""
        named = [("the question", question.text), ("the fact", fact)]
        named += [(f"choice {choice.label}", choice.text) for choice in question.choices]
        for name, text in named:
            if not len(self._tokenizer.encode(text).ids):
                raise LacunaError(
                    f"There is nothing to read in {name}: {text!r} has no visible character. "
                    "Write it anew."
                )
        rows = RowMaker(self._tokenizer)
        for choice in question.choices:
            rows.choice_row(question.text, choice.text, fact)

    def key_spans(self, questions: Sequence[Question]) -> list[Span]:
        """The key span of each fact: the words of it that hint at the answer."""
        maker = RowMaker(self._tokenizer)
        rows = [maker.question_row(question.text, question.fact or "") for question in questions]
        key_spans = []
        for question, scores in zip(questions, self._spans.spans(rows), strict=True):
            tokens = self._tokenizer.encode(question.fact or "")
            start = maker.start_of_fact(question.text)
            first, last = best_span(scores[start : start + len(tokens.ids)])
            key_spans.append(
                _whole_words(question.fact or "", int(tokens.starts[first]), int(tokens.ends[last]))
            )
        return key_spans

    def score(
        self, questions: Sequence[Question], known: Sequence[Sequence[Knowledge]]
    ) -> list[tuple[ScoredChoice, ...]]:
        """Every choice of every question, with the knowledge that was found for it."""
        pairs = list(zip(questions, known, strict=True))
        rows = [question_rows(self._backend.rows, *pair, self._shown) for pair in pairs]
        scores = self._backend.score(rows)
        return [
            self._scored(question, knowledge, of_choices)
            for (question, knowledge), of_choices in zip(pairs, scores, strict=True)
        ]

    def _scored(
        self, question: Question, known: Sequence[Knowledge], scores: Sequence[ChoiceScores]
    ) -> tuple[ScoredChoice, ...]:
        sums = np.array([score.fact + score.relation for score in scores], np.float32)
        likely = np.exp(log_softmax(sums / self._temperature))
        return tuple(
            ScoredChoice(
                choice,
                knowledge.span,
                float(probability),
                score.fact,
                score.relation,
                probabilities(score.relations),
                knowledge_lines(knowledge, score.lines),
            )
            for choice, probability, knowledge, score in zip(
                question.choices, likely, known, scores, strict=True
            )
        )


def best_span(scores: Floats) -> tuple[int, int]:
    """First and last token of the likeliest span, [tokens, 2]."""
    size = len(scores)
    both = scores[:, None, 0] + scores[None, :, 1]
    length = np.arange(size)[None, :] - np.arange(size)[:, None]
    both = np.where((length >= 0) & (length < LONGEST_SPAN), both, -np.inf)
    first, last = np.unravel_index(int(both.argmax()), both.shape)
    return int(first), int(last)


def _whole_words(text: str, start: int, end: int) -> Span:
    """A span that cuts no word: a piece may be a part of one."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return Span(start, end)


def _backend(folder: ModelFolder, tokenizer: Tokenizer, threads: int | None) -> GapQABackend:
    if folder.weights.is_file():
        return OnnxGapQABackend(folder.weights, RowMaker(tokenizer), threads=threads)
    backend: GapQABackend = load_torch_backend(folder, tokenizer, threads)
    return backend
