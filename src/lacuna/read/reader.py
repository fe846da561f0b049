"""The reader: questions with their texts in, typed answers with their evidence out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from lacuna.errors import LacunaError
from lacuna.read.backend import Backend, OnnxBackend, Outputs
from lacuna.read.choices import best_windows, choice_inputs
from lacuna.read.decode import Outcome, decode, log_softmax
from lacuna.read.heads import Columns
from lacuna.read.model_files import ModelFolder, find_model
from lacuna.read.packing import Packer
from lacuna.read.sequence import Input
from lacuna.read.style import Style
from lacuna.read.tokens import Pieces
from lacuna.types import Answer, Document, Prediction, Question, SupportingFact

Progress = Callable[[int], None]


class Reader:
    """One model for every kind of answer.

    >>> reader = Reader.load("small")  # doctest: +SKIP
    >>> reader.read([question])[0].answer.text  # doctest: +SKIP
    '1897'
    """

    def __init__(self, backend: Backend, pieces: Pieces) -> None:
        self._backend = backend
        self._pieces = pieces

    @classmethod
    def load(cls, model: str | Path = "small", *, threads: int | None = None) -> Reader:
        """A shipped model by name, or one from a folder that training wrote."""
        folder = find_model(model)
        backend: Backend
        if folder.weights.is_file():
            backend = OnnxBackend(folder.weights, threads=threads)
        else:
            backend = _torch_backend(folder, threads)
        return cls(backend, Pieces(folder.tokenizer))

    def read(
        self,
        questions: Sequence[Question],
        *,
        style: Style = Style.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question, from its passage, documents, history or choices."""
        made: list[Prediction] = []
        for start in range(0, len(questions), self._backend.at_once):
            some = questions[start : start + self._backend.at_once]
            made += self._read(some, style)
            if progress is not None:
                progress(len(some))
        return made

    def _read(self, questions: Sequence[Question], style: Style) -> list[Prediction]:
        made = []
        packed = self._pack(questions, style)
        runs = iter(self._backend.run([one for inputs in packed for one in inputs]))
        for question, inputs in zip(questions, packed, strict=True):
            outputs = [next(runs) for _ in inputs]
            if question.choices:
                made.append(_choose(question, best_windows(inputs, outputs)))
            else:
                made.append(_answer(question, inputs, outputs, style))
        return made

    def _pack(self, questions: Sequence[Question], style: Style) -> list[list[Input]]:
        """The inputs of every question; what does not fit in one input is ranked or windowed."""
        packed: list[list[Input]] = []
        waiting: list[tuple[int, Packer]] = []
        for index, question in enumerate(questions):
            if question.choices:
                numbers = range(len(question.choices))
                made = (choice_inputs(self._pieces, question, number) for number in numbers)
                packed.append([window for windows in made for window in windows])
                continue
            packer = Packer(self._pieces, question, style)
            whole = packer.whole()
            if whole is not None:
                packed.append([whole] if whole.stretches else [])
            elif len(packer.reading.documents) == 1:
                packed.append(packer.windows())
            else:
                waiting.append((index, packer))
                packed.append([])
        chunks = [packer.chunks() for _, packer in waiting]
        alone = [
            [p.input([part]) for part in parts]
            for (_, p), parts in zip(waiting, chunks, strict=True)
        ]
        scores = self._relevance([one for inputs in alone for one in inputs])
        at = 0
        for (index, packer), parts in zip(waiting, chunks, strict=True):
            packed[index] = [packer.best(parts, scores[at : at + len(parts)])]
            at += len(parts)
        return packed

    def _relevance(self, inputs: Sequence[Input]) -> list[float]:
        return [float(row[Columns.RELEVANCE]) for _, row in self._backend.run(inputs)]

    def relevance(
        self, question: str, documents: Sequence[Document], *, style: Style = Style.ASK
    ) -> list[float]:
        """How likely each document is to help, as a score: its best window counts."""
        best = []
        for document in documents:
            packer = Packer(self._pieces, Question("", question, documents=(document,)), style)
            scores = self._relevance([packer.input([part]) for part in packer.chunks()])
            best.append(max(scores, default=-np.inf))
        return best

    def link_scores(self, question: Question, *, style: Style = Style.ASK) -> list[float]:
        """How likely each link of the passage is to hold what is missing, as scores."""
        if question.passage is None:
            return []
        alone = replace(question, documents=(), choices=())
        packer = Packer(self._pieces, alone, style)
        first, last = Columns.LINK
        best = [-np.inf] * len(question.passage.links)
        if not packer.reading.documents:
            return best
        spans = [(link.start, link.end) for link in question.passage.links]
        covers = packer.reading.tokens[0].covers(spans)
        inputs = packer.windows()
        for one, (per_token, _) in zip(inputs, self._backend.run(inputs), strict=True):
            for index, place in one.stretches[0].holds(covers):
                score = per_token[place.first, first] + per_token[place.last, last]
                best[index] = max(best[index], float(score))
        return best


def _torch_backend(folder: ModelFolder, threads: int | None) -> Backend:
    try:
        from lacuna.train.saved import load_backend
    except ImportError as problem:
        raise LacunaError(
            f"the model in {folder.path} is not exported, and to run it as it was trained torch "
            "is needed: pip install 'lacuna-qa[train]'. Or export it with `lacuna export`."
        ) from problem
    return load_backend(folder, threads)


def _choose(question: Question, outputs: Sequence[Outputs]) -> Prediction:
    scores = log_softmax(np.array([row[Columns.CHOICE] for _, row in outputs], np.float32))
    best = int(scores.argmax())
    choice = question.choices[best]
    answer = Answer.choice(choice.label, choice.text)
    return Prediction(answer, confidence=float(np.exp(scores[best])))


def _answer(
    question: Question, inputs: Sequence[Input], outputs: Sequence[Outputs], style: Style
) -> Prediction:
    outcomes = [
        decode(one, *scores, question.text, style)
        for one, scores in zip(inputs, outputs, strict=True)
    ]
    if not outcomes:
        return Prediction(Answer.none(), confidence=1.0)
    best = max(outcomes, key=_worth)
    return Prediction(
        best.best.answer,
        evidence=best.best.answer.found_at,
        supporting_facts=_supporting(outcomes) if style is Style.HOP else None,
        acts=best.acts,
        confidence=float(np.exp(best.best.total)),
    )


def _worth(outcome: Outcome) -> tuple[bool, float]:
    """Any answer before none; among several windows, the likeliest."""
    is_none = outcome.best.answer.kind == "none"
    return not is_none, outcome.best.total


SUPPORTS = 0.0
"""A sentence with a score above this (a probability above one half) supports the answer."""
LEAST_SUPPORT = 2
"""HotpotQA's questions rest on at least two sentences."""


def _supporting(outcomes: Sequence[Outcome]) -> tuple[SupportingFact, ...]:
    scored = sorted((pair for o in outcomes for pair in o.sentences), key=lambda pair: -pair[1])
    kept = [fact for i, (fact, score) in enumerate(scored) if score > SUPPORTS or i < LEAST_SUPPORT]
    return tuple(dict.fromkeys(kept))
