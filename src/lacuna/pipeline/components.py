"""The parts that every stage works with, and what stands in for what a reader cannot do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.store import Store
from lacuna.models.answer_scorer import AnswerScorer
from lacuna.models.protocol import Reader
from lacuna.models.reader.scored_answer import SURE, LinkScores, ScoredAnswer
from lacuna.models.reader.thresholds import Tuning
from lacuna.pipeline.config import PipelineConfig
from lacuna.retrieve.protocol import Retriever
from lacuna.retrieve.window_index import WindowIndex
from lacuna.types import AnswerKind, Document, Prediction, Question


@runtime_checkable
class PipelineReader(Protocol):
    """A reader that can do all that the stages ask for, as the shipped model can."""

    def score(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[ScoredAnswer]:
        """What could be answered, and how much likelier that is than none."""
        ...

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        """What each document by itself answers, and how likely it is to help."""
        ...

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        """Of each question's context alone: its links, scored, and what it answers by itself."""
        ...

    def fits(self, question: Question, *, mode: AnswerMode = AnswerMode.ASK) -> bool:
        """Whether all texts of a question can be read together."""
        ...

    def tuning(self, mode: AnswerMode, *, over_corpus: bool = False) -> Tuning:
        """When to say none, and how sure the answers are, as fitted on other questions."""
        ...

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        """What chooses among the answers of several texts; None where all are read together."""
        ...


SILENT = ScoredAnswer(Prediction(), 0.0, -math.inf)


class PlainReader:
    """Any reader as the stages need it: what it cannot do itself goes by the words of the texts."""

    def __init__(self, reader: Reader, windows: WindowIndex) -> None:
        self._reader = reader
        self._terms = windows.terms

    def score(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[ScoredAnswer]:
        """The reader's predictions, as likely as it says itself."""
        return [_scored(prediction) for prediction in self._reader.read(questions, mode=mode)]

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        """No answers: a reading may be dear. The relevance goes from −5 for a text with none of the
        question's words to 5 for one with all of them."""
        return [
            [
                replace(SILENT, relevance=10 * self._share(question, document) - 5)
                for document in documents
            ]
            for question, documents in asked
        ]

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        """Nothing is known of the links but their words, which the stage looks at itself."""
        counts = (len(one.context.links) if one.context else 0 for one in questions)
        return [LinkScores([-math.inf] * count, SILENT) for count in counts]

    def fits(self, question: Question, *, mode: AnswerMode = AnswerMode.ASK) -> bool:
        """The number of windows is the only limit that is known."""
        return True

    def tuning(self, mode: AnswerMode, *, over_corpus: bool = False) -> Tuning:
        """Its own word is taken for it."""
        return Tuning()

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        """There is but one reading, and nothing to choose from."""
        return None

    def _share(self, question: str, document: Document) -> float:
        words = set(self._terms(question))
        text = set(self._terms(f"{document.title} {document.text}"))
        return len(words & text) / len(words) if words else 0.0


def _scored(prediction: Prediction) -> ScoredAnswer:
    """A prediction with the confidence that it came with as its only score."""
    rated = prediction.confidence is not None
    sure = 1.0 if prediction.confidence is None else prediction.confidence
    if prediction.answer is None or prediction.answer.kind is AnswerKind.NONE:
        answerable = min(max(1 - sure, 1e-9), 0.5)
        margin = math.log(answerable / (1 - answerable))
        return ScoredAnswer(prediction, 0.0, margin, rated=rated)
    return ScoredAnswer(prediction, math.log(max(sure, 1e-9)), SURE, rated=rated)


@dataclass(frozen=True, slots=True)
class Components:
    """Shared by all questions."""

    store: Store
    reader: PipelineReader
    windows: WindowIndex
    retriever: Retriever
    config: PipelineConfig
    mode: AnswerMode
    scorer: AnswerScorer | None = None
    """What chooses among the answers of several texts; None where all are read together."""

    @property
    def tuning(self) -> Tuning:
        """What was fitted for this mode over texts that were searched for."""
        return self.reader.tuning(self.mode, over_corpus=True)
