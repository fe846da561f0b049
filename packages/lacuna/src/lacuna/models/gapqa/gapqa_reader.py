"""Reads questions with choices: where the key span is, and what fills the gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.json_form import HIDDEN, called
from lacuna.models.gapqa.relations import DIRECTIONS, Statement, same_words
from lacuna.models.gapqa.rows import (
    KnowledgeKind,
    KnowledgeLine,
    Row,
    RowMaker,
    knowledge_lines,
    padded,
    probabilities,
)
from lacuna.models.model_folder import DEFAULTS, ModelFolder, ModelSystem, find_model
from lacuna.models.onnx import Arrays, OnnxNetwork
from lacuna.models.reader.decode import log_softmax
from lacuna.models.reader.encode import Tokenizer
from lacuna.models.registry import load_torch_backend
from lacuna.retrieve.knowledge.knowledge_base import Knowledge
from lacuna.types import Choice, Evidence, Gap, Question, Span


@dataclass(frozen=True, slots=True)
class ScoredChoice:
    """A choice, how likely it is the answer, what speaks for it, and its gap."""

    label: str = field(init=False, repr=False)
    """Its letter."""
    text: str = field(init=False, repr=False)
    """Its words."""
    choice: Choice = field(metadata=HIDDEN)
    """Its letter and its words."""
    span: str = field(metadata=HIDDEN)
    """The key span in words."""
    probability: float
    """How likely it is the answer, from 0 to 1."""
    fact_score: float
    """How well the fact composes with the question and this choice."""
    relation_score: float
    """How well its relation to the key span fits."""
    gap: Gap | None = field(init=False, repr=False)
    """Filled by the first line, or open, where no line states how the two are related. Null where
    the choice is the key span itself, and where the model reads no knowledge: then there are no
    lines either."""
    about: float | None = field(init=False, repr=False)
    """How much of the words of span and choice the first line is about, where it fills the gap."""
    relations: tuple[float, ...]
    """How likely each relation is by all lines together: by this the model chose."""
    lines: tuple[KnowledgeLine, ...] = field(metadata=HIDDEN)
    """As they were found; the last is the back-off. A model that reads no knowledge has none."""
    clearest: tuple[KnowledgeLine, ...] = field(init=False, repr=False, metadata=called("lines"))
    """The clearest first, and last the back-off."""

    def __post_init__(self) -> None:
        put = partial(object.__setattr__, self)
        put("clearest", (*self.knowledge, *self.lines[-1:]))
        put("label", self.choice.label)
        put("text", self.choice.text)
        put("gap", self._gap())
        put("about", self.filling.about if self.filling else None)

    @property
    def is_span(self) -> bool:
        """True if the choice is the key span in the same words, so that nothing is missing."""
        return same_words(self.span, self.choice.text)

    @property
    def knowledge(self) -> tuple[KnowledgeLine, ...]:
        """All lines but the back-off, the clearest first."""
        lines = [line for line in self.lines if line.kind is not KnowledgeKind.BACK_OFF]
        return tuple(sorted(lines, key=_clarity, reverse=True))

    @property
    def filling(self) -> Statement | None:
        """The statement that fills the gap: the clearest one, which the first line of knowledge
        makes."""
        knowledge = self.knowledge
        return knowledge[0].statement if knowledge and not self.is_span else None

    def _gap(self) -> Gap | None:
        """The relation of key span and choice, filled or open."""
        if self.is_span or not self.lines:
            return None
        knowledge, filling = self.knowledge, self.filling
        nearest = None
        if knowledge:
            nearest = Evidence(knowledge[0].source, 0, len(knowledge[0].text))
        return Gap(
            missing_relation(self.span, self.choice.text),
            looked_in=tuple(dict.fromkeys(line.source for line in knowledge)),
            nearest=nearest,
            relation=filling.direction.name if filling else "",
            filled=filling.direction.sentence(self.span, self.choice.text) if filling else "",
        )


def missing_relation(span: str, choice: str) -> str:
    """Say what is missing between a key span and a choice.

    >>> missing_relation("metals", "a quilt")
    'how “metals” and “a quilt” are related'
    """
    return f"how “{span}” and “{choice}” are related"


def _clarity(line: KnowledgeLine) -> tuple[bool, bool, float, float]:
    """Lines that state a relation come first: triples, which do so in as many words, before
    sentences. Then come all others, as they were found: how little each of them says differs from
    processor to processor by more than from line to line."""
    if line.statement is None:
        return False, False, 0.0, 0.0
    about, likely, _ = line.statement
    return True, line.kind is KnowledgeKind.TRIPLE, about, likely


class MakesRows(Protocol):
    """Rows of word pieces, or of words."""

    def question_row(self, question: str, fact: str) -> Row: ...

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row: ...

    def knowledge_row(self, span: str, choice: str, line: str) -> Row: ...


@dataclass(frozen=True, slots=True)
class Shown:
    """The input that a model gets to see: all of it, or less for the paper's ablations and
    baselines."""

    fact: bool = True
    """Without it, only question and choice (the paper's question-to-choice baseline)."""
    knowledge: bool = True
    """Without it, no relation score."""
    span: bool = True
    """Without it, lines of knowledge are read beside the whole fact (No Spans, Model)."""


class QuestionRows(NamedTuple):
    """The question's own row, a row for each choice, and rows of knowledge for each choice."""

    question: Row
    choices: tuple[Row, ...]
    knowledge: tuple[tuple[Row, ...], ...]


def question_rows(
    rows: MakesRows, question: Question, known: Sequence[Knowledge], shown: Shown
) -> QuestionRows:
    """The rows of a question and of what was found for each of its choices."""
    fact = question.fact or ""
    visible = fact if shown.fact else None
    return QuestionRows(
        rows.question_row(question.text, fact),
        tuple(rows.choice_row(question.text, choice.text, visible) for choice in question.choices),
        tuple(
            tuple(
                rows.knowledge_row(pair.span if shown.span else fact, pair.choice, line)
                for line in (pair.texts if shown.knowledge else ())
            )
            for pair in known
        ),
    )


Floats = NDArray[np.float32]
INPUT_NAMES = ("ids", "parts")
OUTPUT_NAMES = ("spans", "scores", "relations", "lines")
OUTPUT_WIDTHS = {**dict.fromkeys(OUTPUT_NAMES), "lines": len(DIRECTIONS)}


class ChoiceScores(NamedTuple):
    """The network's scores of one choice; relations before the sigmoid."""

    fact: float
    relation: float
    relations: Floats
    lines: Floats


class GapQABackend(Protocol):
    """Anything that can run rows through the network."""

    rows: MakesRows

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Probabilities that each token of a question's row begins and ends the key span: [tokens,
        2]."""
        ...

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice of every question."""
        ...


class OnnxGapQABackend:
    """A network in one ONNX file, on the CPU.

    One run has the rows of one choice: the question's, the choice's, then those of its knowledge.
    The int8 network scales its numbers by the largest of a run, so an answer does not depend on
    what else is asked at the same time.
    """

    def __init__(self, path: Path, rows: MakesRows, *, threads: int | None = None) -> None:
        self.rows = rows
        self._network = OnnxNetwork(
            path, INPUT_NAMES, OUTPUT_WIDTHS, threads=threads, name="GapQA model"
        )

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Scores of the first and last token of the key span."""
        # What the other rows would hold does not matter for the span.
        outputs = self._network.run_all([_feed([row] * 3) for row in rows])
        return [spans[: len(row.ids)] for row, (spans, *_) in zip(rows, outputs, strict=True)]

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice, side by side."""
        runs = [
            [question.question, choice, *lines]
            for question in questions
            for choice, lines in zip(question.choices, question.knowledge, strict=True)
        ]
        outputs = iter(self._network.run_all([_feed(rows) for rows in runs]))
        return [[_scores(next(outputs)) for _ in question.choices] for question in questions]


def _feed(rows: Sequence[Row]) -> dict[str, NDArray[np.int64]]:
    return dict(zip(INPUT_NAMES, padded(rows), strict=True))


def _scores(outputs: Arrays) -> ChoiceScores:
    _, scores, relations, lines = outputs
    return ChoiceScores(float(scores[0]), float(scores[1]), relations, lines)


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

    @property
    def measured(self) -> bool:
        """Whether its confidence was fitted to how often its choices are right."""
        return self._temperature != 1.0

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
