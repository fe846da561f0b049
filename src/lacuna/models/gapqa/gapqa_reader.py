"""Reads questions with choices: where the key span is, and what fills the gap to each choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lacuna.errors import LacunaError
from lacuna.models.gapqa.backend import ChoiceScores, Floats, GapQABackend, OnnxGapQABackend
from lacuna.models.gapqa.choice_gaps import ChoiceGap, KnowledgeKind, KnowledgeLine
from lacuna.models.gapqa.gapqa_folder import DEFAULT, GapQAFolder, find_gap_model
from lacuna.models.gapqa.question_rows import Shown, question_rows
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.gapqa.statements import same_words, sentence_states, triple_states
from lacuna.models.reader.decode import log_softmax
from lacuna.models.tokenizer import Tokenizer
from lacuna.retrieve.knowledge import FoundSentence, FoundTriple, Knowledge
from lacuna.types import Question, Span

LONGEST_SPAN = 16
"""Word pieces of a key span."""


class GapQAReader:
    """A GapQA model, ready to read; several threads may share one."""

    def __init__(
        self, folder: GapQAFolder, backend: GapQABackend, pieces: Tokenizer, spans: GapQABackend
    ) -> None:
        self.folder = folder
        self._backend, self._pieces, self._spans = backend, pieces, spans
        self._shown = Shown(**folder.config["shown"])
        self._temperature = folder.temperature

    @classmethod
    def load(cls, model: str | Path = DEFAULT, *, threads: int | None = None) -> GapQAReader:
        """The shipped model by its name, or any folder that training wrote."""
        folder = find_gap_model(model)
        finder = folder if folder.tokenizer.is_file() else find_gap_model(DEFAULT)
        pieces = Tokenizer(finder.tokenizer)
        spans = _backend(finder, pieces, threads)
        backend = spans if finder is folder else _backend(folder, pieces, threads)
        return cls(folder, backend, pieces, spans)

    def check(self, question: Question) -> None:
        """Refuse what the model cannot read: a text without any word piece, or too many of them."""
        fact = question.fact or ""
        named = [("the question", question.text), ("the fact", fact)]
        named += [(f"choice {one.label}", one.text) for one in question.choices]
        for name, text in named:
            if not len(self._pieces.encode(text).ids):
                raise LacunaError(
                    f"There is nothing to read in {name}: {text!r} has no visible character. "
                    "Write it anew."
                )
        rows = RowMaker(self._pieces)
        for one in question.choices:
            rows.choice_row(question.text, one.text, fact)

    def key_spans(self, questions: Sequence[Question]) -> list[Span]:
        """The key span of each fact: the words of it that hint at the answer."""
        maker = RowMaker(self._pieces)
        rows = [maker.question_row(one.text, one.fact or "") for one in questions]
        found = []
        for question, scores in zip(questions, self._spans.spans(rows), strict=True):
            tokens = self._pieces.encode(question.fact or "")
            start = maker.start_of_fact(question.text)
            first, last = best_span(scores[start : start + len(tokens.ids)])
            found.append(
                _whole_words(question.fact or "", int(tokens.starts[first]), int(tokens.ends[last]))
            )
        return found

    def score(
        self, questions: Sequence[Question], known: Sequence[Sequence[Knowledge]]
    ) -> list[tuple[ChoiceGap, ...]]:
        """Every choice of every question, with the knowledge that was found for it."""
        pairs = list(zip(questions, known, strict=True))
        rows = [question_rows(self._backend.rows, *pair, self._shown) for pair in pairs]
        scores = self._backend.score(rows)
        return [
            self._gaps(question, found, of_choices)
            for (question, found), of_choices in zip(pairs, scores, strict=True)
        ]

    def _gaps(
        self, question: Question, known: Sequence[Knowledge], scores: Sequence[ChoiceScores]
    ) -> tuple[ChoiceGap, ...]:
        sums = np.array([one.fact + one.relation for one in scores], np.float32)
        likely = np.exp(log_softmax(sums / self._temperature))
        return tuple(
            ChoiceGap(
                choice,
                float(likely[number]),
                one.fact,
                one.relation,
                _probabilities(one.relations),
                _lines(found, one.lines),
                is_span=same_words(found.span, found.choice),
            )
            for number, (choice, found, one) in enumerate(
                zip(question.choices, known, scores, strict=True)
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


def _lines(known: Knowledge, scores: Floats) -> tuple[KnowledgeLine, ...]:
    if not len(scores):  # a model that reads no knowledge
        return ()
    found = (*known.sentences, *known.triples, None)  # the last is the back-off
    told = zip(found, known.texts, map(_probabilities, scores), strict=True)
    return tuple(_line(known, *one) for one in told)


def _line(
    known: Knowledge,
    found: FoundSentence | FoundTriple | None,
    text: str,
    relations: tuple[float, ...],
) -> KnowledgeLine:
    pair = known.span, known.choice
    if isinstance(found, FoundSentence):
        states = sentence_states(text, *pair, relations)
        return KnowledgeLine(text, KnowledgeKind.SENTENCE, found.source, relations, states)
    if isinstance(found, FoundTriple):
        states = triple_states(found.triple, *pair, relations)
        return KnowledgeLine(
            text, KnowledgeKind.TRIPLE, ", ".join(found.triple.sources), relations, states
        )
    return KnowledgeLine(text, KnowledgeKind.BACK_OFF, "", relations)


def _probabilities(scores: Floats) -> tuple[float, ...]:
    return tuple((1 / (1 + np.exp(-np.asarray(scores, np.float64)))).tolist())


def _backend(folder: GapQAFolder, pieces: Tokenizer, threads: int | None) -> GapQABackend:
    if folder.weights.is_file():
        return OnnxGapQABackend(folder.weights, RowMaker(pieces), threads=threads)
    if not folder.network.is_file():
        raise LacunaError(
            f"the model in {folder.path} has no weights. Get it again, or train it anew."
        )
    try:
        from lacuna.train.gapqa.torch_model import load_gap_backend
    except ImportError as problem:
        raise LacunaError(
            f"the model in {folder.path} is not exported, and to run it as it was trained torch "
            "is needed: pip install 'lacuna-qa[train]'. Or export it with `lacuna export`."
        ) from problem
    return load_gap_backend(folder, pieces, threads)
