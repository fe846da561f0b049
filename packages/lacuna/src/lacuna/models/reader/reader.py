"""The reader: questions with their texts in, typed answers with their evidence out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.calibration import (
    OVER_CORPUS,
    SCORER_KEY,
    AnswerScorer,
    Tuning,
    answer_group,
    tunings,
)
from lacuna.models.model_folder import MODES_KEY, find_model
from lacuna.models.onnx import OnnxNetwork
from lacuna.models.reader.decode import Columns, Outcome, decode, log_softmax
from lacuna.models.reader.encode import (
    ModelInput,
    QuestionEncoder,
    Tokenizer,
    choice_inputs,
    question_fits,
    second_look_input,
)
from lacuna.models.registry import load_torch_backend
from lacuna.types import Answer, AnswerKind, Document, Prediction, Question, SupportingFact

Scores = NDArray[np.float32]
Outputs = tuple[Scores, Scores]
"""Scores per token and per sequence, of one input."""
INPUT_NAMES = ("ids", "marks", "mask")
OUTPUT_NAMES = ("per_token", "per_sequence")
OUTPUT_WIDTHS: dict[str, int | tuple[int, ...]] = {
    "per_token": Columns.PER_TOKEN,
    "per_sequence": (Columns.WITHOUT_VERDICT, Columns.PER_SEQUENCE),
}


class Backend(Protocol):
    """Anything that can run inputs through the network."""

    at_once: int
    """The number of questions to give it together."""

    @property
    def has_verdict(self) -> bool:
        """Whether the network judges answers that are read again."""
        ...

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]: ...


def by_length(inputs: Sequence[ModelInput], tokens: int) -> Iterator[list[int]]:
    """Indices of inputs in batches of like length, each of at most so many padded tokens."""
    order = sorted(range(len(inputs)), key=lambda index: -len(inputs[index].ids))
    batch: list[int] = []
    for index in order:
        if batch and len(inputs[batch[0]].ids) * (len(batch) + 1) > tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def padded(inputs: Sequence[ModelInput]) -> dict[str, NDArray[np.int64]]:
    """One batch as the network takes it."""
    longest = max(len(one.ids) for one in inputs)
    batch = {name: np.zeros((len(inputs), longest), np.int64) for name in INPUT_NAMES}
    for row, one in enumerate(inputs):
        size = len(one.ids)
        batch["ids"][row, :size] = one.ids
        batch["marks"][row, :size] = one.marks
        batch["mask"][row, :size] = 1
    return batch


class OnnxBackend:
    """A network in one ONNX file, on the CPU.

    The int8 network scales its numbers by the largest of a batch, so an answer would depend on
    what else is asked at the same time: every input is a batch of its own. With nothing padded,
    that is no slower.
    """

    at_once = 8

    def __init__(self, path: Path, *, threads: int | None = None, later: bool = False) -> None:
        """``later`` opens the file when it is first needed, for one of several."""
        self._open = partial(OnnxNetwork, path, INPUT_NAMES, OUTPUT_WIDTHS, threads=threads)
        if not later:
            _ = self._network

    @cached_property
    def _network(self) -> OnnxNetwork:
        return self._open()

    @property
    def has_verdict(self) -> bool:
        """Whether the file has the columns of the verdict; older ones do not."""
        return bool(self._network.widths["per_sequence"] == Columns.PER_SEQUENCE)

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input, in the order given; columns that are missing are zero."""
        outputs = self._network.run_all([padded([one]) for one in inputs])
        missing = (0, 0 if self.has_verdict else Columns.PER_SEQUENCE - Columns.WITHOUT_VERDICT)
        return [
            (per_token[0], np.pad(per_sequence[0], missing)) for per_token, per_sequence in outputs
        ]


SURE = 30.0
"""Log-odds that no model needs to exceed; where a mode has no "none", the margin is infinite."""
SUPPORTS = 0.0
"""A sentence with a score above this (a probability above one half) supports the answer."""
LEAST_SUPPORT = 2
"""HotpotQA's questions rest on at least two sentences."""


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """The best answer, its log-probability, and how much likelier it is than none, in log-odds.

    ``sentences`` are those of the input that gave the answer, with the score of each as support.
    ``relevance`` is how likely the texts help with the question at all, as log-odds.
    Where nothing is known of how likely the answer is (not ``rated``), it gets no confidence.
    """

    prediction: Prediction
    total: float
    margin: float
    sentences: tuple[tuple[SupportingFact, float], ...] = ()
    relevance: float = -math.inf
    rated: bool = True

    @property
    def kind(self) -> AnswerKind:
        """The kind of the best answer; none if there is nothing to say."""
        return self.prediction.answer.kind if self.prediction.answer else AnswerKind.NONE

    def decide(self, tuning: Tuning) -> Prediction:
        """The answer if it is likely enough, else none; with how sure that is."""
        over = max(-SURE, min(SURE, self.margin - tuning.thresholds[answer_group(self.kind)]))
        answerable = 1 / (1 + math.exp(-over))
        if self.prediction.answer is None or over <= 0:
            none = replace(self.prediction, answer=Answer.none(), evidence=())
            return self._with_confidence(none, tuning, 1 - answerable)
        return self._with_confidence(self.prediction, tuning, math.exp(self.total) * answerable)

    def _with_confidence(
        self, prediction: Prediction, tuning: Tuning, confidence: float
    ) -> Prediction:
        return replace(prediction, confidence=tuning.trusted(confidence) if self.rated else None)


class SecondLook(NamedTuple):
    """What a second look says of an answer, as probabilities."""

    right: float
    wrong: float
    not_here: float


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The reading of a context alone: a score for each of its links, and the best answer it has."""

    links: list[float]
    alone: ScoredAnswer


def supporting(outcomes: Sequence[Outcome]) -> tuple[SupportingFact, ...]:
    """The sentences that support an answer, the surest first."""
    scored = sorted((pair for o in outcomes for pair in o.sentences), key=lambda pair: -pair[1])
    facts = [
        fact for i, (fact, score) in enumerate(scored) if score > SUPPORTS or i < LEAST_SUPPORT
    ]
    return tuple(dict.fromkeys(facts))


SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")


def part_that_fits(question: str, fits: Callable[[str], bool]) -> str:
    """The last sentence that asks; where none does, as many from the end as fit.

    What else is told beside a question leads the model astray more often than it helps. Of a
    sentence that is too long by itself, the beginning: that is where it says what is asked.

    >>> part_that_fits("It is red. Who built it? I wonder.", lambda text: len(text) < 20)
    'Who built it?'
    >>> part_that_fits("Who built the ship that sank?", lambda text: len(text) < 15)
    'Who built the'
    """
    if fits(question):
        return question
    sentences = SENTENCE_END.split(question.strip())
    part = next((one for one in reversed(sentences) if one.endswith("?")), None)
    if part is None:
        part = sentences.pop()
        while sentences and fits(f"{sentences[-1]} {part}"):
            part = f"{sentences.pop()} {part}"
    return part if fits(part) else _beginning(part, fits)


def _beginning(text: str, fits: Callable[[str], bool]) -> str:
    """The beginning of a text: as many characters as fit, and whole words where there are any."""
    fitting, too_many = 1, len(text)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if fits(text[:middle]):
            fitting = middle
        else:
            too_many = middle
    words = text[: fitting + 1].rpartition(" ")[0]
    return words or text[:fitting]


Progress = Callable[[int], None]


class ModelReader:
    """One model for every kind of answer.

    >>> ferry = Document("Ferry", "The ferry was built at Osk in 1897, of oak.")
    >>> question = Question("", "When was the ferry built?", ferry)
    >>> ModelReader.load("small").read([question])[0].answer.text
    '1897'
    """

    def __init__(
        self,
        backend: Backend,
        tokenizer: Tokenizer,
        tuned: Mapping[AnswerMode, Tuning] | None = None,
        tuned_over_corpus: Mapping[AnswerMode, Tuning] | None = None,
        answer_scorer: AnswerScorer | None = None,
        found: Backend | None = None,
    ) -> None:
        """``found`` is the network for passages that a search found, where that is another one."""
        self._backend = backend
        self._found = found or backend
        self._tokenizer = tokenizer
        self._tuned = tuned or {}
        self._tuned_over_corpus = tuned_over_corpus or {}
        self._answer_scorer = answer_scorer

    @classmethod
    def load(cls, model: str | Path = "small", *, threads: int | None = None) -> ModelReader:
        """A shipped model by name, or one from a folder that training wrote."""
        folder = find_model(model)
        backend: Backend
        found: Backend | None = None
        if folder.found_weights.is_file():
            backend = OnnxBackend(folder.weights, threads=threads, later=True)
            found = OnnxBackend(folder.found_weights, threads=threads, later=True)
        elif folder.weights.is_file():
            backend = OnnxBackend(folder.weights, threads=threads)
        else:
            backend = load_torch_backend(folder, threads)
        tokenizer = Tokenizer(folder.tokenizer)
        if AnswerMode.FOUND not in folder.config.get(MODES_KEY, ()):
            tokenizer.modes[AnswerMode.FOUND] = tokenizer.modes[AnswerMode.ASK]
        tuned, asking = tunings(folder.config), tunings(folder.config, OVER_CORPUS)
        scorer = folder.config.get(SCORER_KEY)
        return cls(
            backend,
            tokenizer,
            tuned,
            asking,
            None if scorer is None else AnswerScorer.from_json(scorer),
            found,
        )

    def _network_for(self, mode: AnswerMode) -> Backend:
        return self._found if mode is AnswerMode.FOUND else self._backend

    @property
    def measured(self) -> bool:
        """Whether its confidence was fitted to how often its answers are right."""
        tuned = (*self._tuned.values(), *self._tuned_over_corpus.values())
        return self._answer_scorer is not None or any(one.calibration for one in tuned)

    @property
    def at_once(self) -> int:
        """The number of questions that are encoded together."""
        return self._backend.at_once

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question, from its context, documents, history or choices."""
        tuning = self.tuning(mode)
        scored = self.score(questions, mode=mode, progress=progress)
        return [answer.decide(tuning) for answer in scored]

    def score(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[ScoredAnswer]:
        """Score the best answer of each question, before the decision whether to give it."""
        scored: list[ScoredAnswer] = []
        for start in range(0, len(questions), self._backend.at_once):
            some = questions[start : start + self._backend.at_once]
            packed = self._pack(some, mode)
            network = self._network_for(mode)
            runs = iter(network.run([one for inputs in packed for one in inputs]))
            for question, inputs in zip(some, packed, strict=True):
                outputs = [next(runs) for _ in inputs]
                if question.choices:
                    scored.append(_choose(question, best_windows(inputs, outputs)))
                else:
                    scored.append(_answer(question, inputs, outputs, mode))
            if progress is not None:
                progress(len(some))
        return scored

    def _encoder(self, question: Question, mode: AnswerMode) -> QuestionEncoder:
        return QuestionEncoder(self._tokenizer, question, mode)

    def _pack(self, questions: Sequence[Question], mode: AnswerMode) -> list[list[ModelInput]]:
        """The inputs of every question; what does not fit in one input is ranked or windowed."""
        packed: list[list[ModelInput]] = []
        waiting: list[tuple[int, QuestionEncoder]] = []
        for index, question in enumerate(questions):
            if question.choices:
                numbers = range(len(question.choices))
                by_choice = (choice_inputs(self._tokenizer, question, number) for number in numbers)
                packed.append([window for windows in by_choice for window in windows])
                continue
            encoder = self._encoder(question, mode)
            whole = encoder.whole()
            if whole is not None:
                packed.append([whole] if whole.segments else [])
            elif len(encoder.encoded.documents) == 1:
                packed.append(encoder.windows())
            else:
                waiting.append((index, encoder))
                packed.append([])
        chunks = [encoder.chunks() for _, encoder in waiting]
        alone = [
            [p.input([part]) for part in parts]
            for (_, p), parts in zip(waiting, chunks, strict=True)
        ]
        inputs = [one for inputs in alone for one in inputs]
        outputs = self._network_for(mode).run(inputs)
        scores = [float(per_sequence[Columns.RELEVANCE]) for _, per_sequence in outputs]
        at = 0
        for (index, encoder), parts in zip(waiting, chunks, strict=True):
            packed[index] = [encoder.best(parts, scores[at : at + len(parts)])]
            at += len(parts)
        return packed

    def read_alone(
        self, asked: Sequence[tuple[str, Sequence[Document]]], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[list[ScoredAnswer]]:
        """Read each document by itself: its answer, and how likely it helps with its question.

        Every question comes with documents of its own; all of them are one run of the network.
        """
        questions = [
            [Question("", question, documents=(document,)) for document in documents]
            for question, documents in asked
        ]
        packed = [
            [self._encoder(alone, mode).windows() for alone in of_one] for of_one in questions
        ]
        every = [one for of_one in packed for inputs in of_one for one in inputs]
        runs = iter(self._network_for(mode).run(every))
        return [
            [
                _answer(alone, inputs, [next(runs) for _ in inputs], mode)
                for alone, inputs in zip(of_one, windows, strict=True)
            ]
            for of_one, windows in zip(questions, packed, strict=True)
        ]

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        """Of each question's context alone: its links, scored, and what it answers by itself."""
        alone = [replace(question, documents=(), choices=()) for question in questions]
        encoders = [self._encoder(question, mode) for question in alone]
        packed = [encoder.windows() for encoder in encoders]
        runs = iter(self._network_for(mode).run([one for inputs in packed for one in inputs]))
        scored = []
        for question, inputs in zip(alone, packed, strict=True):
            outputs = [next(runs) for _ in inputs]
            answer = _answer(question, inputs, outputs, mode)
            scored.append(LinkScores(_links(question.context, inputs, outputs), answer))
        return scored

    @property
    def looks_twice(self) -> bool:
        """Whether the model can judge answers that are read again."""
        return self._found.has_verdict

    def look_again(
        self, asked: Sequence[tuple[str, Sequence[tuple[Answer, Document]]]]
    ) -> list[list[SecondLook]]:
        """How each question's answers are judged, each read again with the passage it is from.

        The places of an answer are those in its passage; yes and no have the sentence that decides.
        """
        if not self.looks_twice:
            raise LacunaError(
                "this model has not learned to judge answers; train one with the source "
                "'second_look' in its recipe."
            )
        inputs = [
            second_look_input(self._tokenizer, Question("", question), *answer)
            for question, answers in asked
            for answer in answers
        ]
        runs = iter(self._found.run(inputs))
        return [[_second_look(next(runs)) for _ in answers] for _, answers in asked]

    def fits(self, question: Question, *, mode: AnswerMode = AnswerMode.ASK) -> bool:
        """Tell if all texts of a question are read together, with nothing left out."""
        return self._encoder(question, mode).whole() is not None

    def readable(self, question: str) -> str:
        """The question, or the part of it that is read where it is too long."""
        return part_that_fits(question, lambda text: question_fits(self._tokenizer, text))

    def tuning(self, mode: AnswerMode, *, over_corpus: bool = False) -> Tuning:
        """The tuning of a mode after training; ``asking`` over texts that were found."""
        plain = self._tuned.get(mode, Tuning())
        return self._tuned_over_corpus.get(mode, plain) if over_corpus else plain

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        """The scorer that chooses among the answers of several texts; None where nothing was
        fitted."""
        return self._answer_scorer if mode in (AnswerMode.ASK, AnswerMode.FOUND) else None


def _second_look(outputs: Outputs) -> SecondLook:
    scores = log_softmax(outputs[1][Columns.VERDICT])
    return SecondLook(*(math.exp(score) for score in scores.tolist()))


def _links(
    context: Document | None, inputs: Sequence[ModelInput], outputs: Sequence[Outputs]
) -> list[float]:
    first, last = Columns.LINK
    links = context.links if context else ()
    best = [-np.inf] * len(links)
    spans = [(link.start, link.end) for link in links]
    for one, (per_token, _) in zip(inputs, outputs, strict=True):
        for index, place in one.within(one.segments[0], spans):
            score = per_token[place.first, first] + per_token[place.last, last]
            best[index] = max(best[index], float(score))
    return best


def best_windows(inputs: Sequence[ModelInput], outputs: Sequence[Outputs]) -> list[Outputs]:
    """Of each choice the window that speaks for it most; one choice's windows share a reading."""
    pairs = zip(inputs, outputs, strict=True)
    return [
        max((scores for _, scores in same), key=lambda scores: float(scores[1][Columns.CHOICE]))
        for _, same in groupby(pairs, key=lambda pair: id(pair[0].encoded))
    ]


def _choose(question: Question, outputs: Sequence[Outputs]) -> ScoredAnswer:
    scores = log_softmax(np.array([row[Columns.CHOICE] for _, row in outputs], np.float32))
    best = int(scores.argmax())
    choice = question.choices[best]
    answer = Answer.choice(choice.label, choice.text)
    return ScoredAnswer(Prediction(answer), float(scores[best]), np.inf)


def _answer(
    question: Question, inputs: Sequence[ModelInput], outputs: Sequence[Outputs], mode: AnswerMode
) -> ScoredAnswer:
    outcomes = [
        decode(one, *scores, question.text, mode)
        for one, scores in zip(inputs, outputs, strict=True)
    ]
    relevance = max((float(row[Columns.RELEVANCE]) for _, row in outputs), default=-np.inf)
    answered = [outcome for outcome in outcomes if outcome.answer is not None]
    if not answered:
        return ScoredAnswer(Prediction(), 0.0, -np.inf, relevance=relevance)
    best = max(answered, key=lambda outcome: min(outcome.margin, SURE) + outcome.total)
    assert best.answer is not None
    prediction = Prediction(
        best.answer,
        evidence=best.answer.found_at,
        supporting_facts=supporting(outcomes) if mode is AnswerMode.HOP else None,
        acts=best.acts,
    )
    margin = max(outcome.margin for outcome in answered)
    return ScoredAnswer(prediction, best.total, margin, best.sentences, relevance)
