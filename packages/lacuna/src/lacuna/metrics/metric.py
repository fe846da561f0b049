"""The interface of official scorers, and the answer normalisation that several scorers share."""

from __future__ import annotations

import re
import string
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add
from typing import Any, ClassVar, NamedTuple

from lacuna.types import AnswerKind, Prediction, Question

ARTICLES = re.compile(r"\b(a|an|the)\b")
ARTICLE_WORDS = frozenset({"a", "an", "the"})
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Overlap(NamedTuple):
    """Precision, recall and F1 of a prediction's tokens against a reference's."""

    precision: float
    recall: float
    f1: float


NO_OVERLAP, FULL_OVERLAP = Overlap(0.0, 0.0, 0.0), Overlap(1.0, 1.0, 1.0)


@lru_cache(maxsize=65536)
def normalise(text: str) -> str:
    """Lower case, no punctuation, no articles, single blanks.

    >>> normalise("The  U.S.A.")
    'usa'
    """
    bare = text.lower().translate(NO_PUNCTUATION)
    if bare.isascii() and bare.isprintable():
        # Only letters, digits and blanks are left, so that words are what stands between blanks.
        return " ".join([word for word in bare.split() if word not in ARTICLE_WORDS])
    return " ".join(ARTICLES.sub(" ", bare).split())


def overlap(prediction: str, reference: str) -> Overlap:
    """Compare two normalised texts token by token."""
    if prediction == reference:
        return FULL_OVERLAP if prediction else NO_OVERLAP
    predicted, wanted = prediction.split(), reference.split()
    distinct = set(predicted), set(wanted)
    if len(distinct[0]) == len(predicted) and len(distinct[1]) == len(wanted):
        same = len(distinct[0] & distinct[1])
    else:
        same = sum((Counter(predicted) & Counter(wanted)).values())
    if not same:
        return NO_OVERLAP
    precision, recall = same / len(predicted), same / len(wanted)
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))


Row = tuple[float | None, ...]
"""One question's value of each measure; None where it does not count for a measure."""


@dataclass(slots=True)
class QuestionScore:
    """The scores of one answer.

    ``group`` numbers the context or dialog that the question is about.
    """

    id: str
    group: int
    kind: AnswerKind
    predicted: bool
    row: Row


class Metric(ABC):
    """An official scorer."""

    scale: ClassVar[float] = 1.0
    """The perfect score: 1 or 100, as the official scorer has it."""
    measures: tuple[str, ...]
    """The names of a row's values."""
    main: tuple[str, ...]
    """The measures to show first."""
    of_fewer: ClassVar[Mapping[str, str]] = {}
    """The measures that are another one over fewer questions, with the name of that one."""
    of_groups: ClassVar[frozenset[str]] = frozenset()
    """The measures of whole groups, which mean nothing for a part of the questions."""

    answer_measure: ClassVar[str] = "f1"
    """The measure that says how good one answer is; confidence is held against it."""
    right_or_wrong: ClassVar[bool] = False
    """True if an answer is either right or wrong by that measure, and nothing in between."""

    def prediction_ids(self, question: Question) -> tuple[str, ...]:
        """The ids under which a prediction for the question may stand; the first there counts."""
        return (question.id,)

    @abstractmethod
    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        """Score one question; the prediction is None where it is missing."""

    @abstractmethod
    def abstention(self, question: Question) -> Prediction:
        """The prediction of a system that never answers."""

    def human(self, question: Question) -> Row | None:
        """The scores of an annotator against the others; None where the file cannot tell."""
        return None

    def kind(self, question: Question) -> AnswerKind:
        """The kind of answer that the question wants."""
        assert question.gold is not None
        return question.gold.answers[0].kind

    def lacking(self, question: Question, prediction: Prediction) -> str | None:
        """Parts of a prediction that the official scorer looks for and misses, in words."""
        return None if prediction.answer else "answer"

    def finish(self, groups: Sequence[int], rows: list[Row]) -> list[Row]:
        """Fill in measures that need all questions of a group."""
        return rows

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        """The numbers that the official scorer prints, under its own names."""
        return dict(self.means([score.row for score in scores]))

    def means(self, rows: Sequence[Row]) -> dict[str, float | None]:
        """The mean of each measure over the questions that count for it."""
        columns = zip(*rows, strict=True)
        return {
            name: self._mean(column) for name, column in zip(self.measures, columns, strict=True)
        }

    def _mean(self, column: Row) -> float | None:
        counted = [value for value in column if value is not None]
        # Added one by one, as the official scorers do: sum() corrects rounding since Python 3.12.
        return self.scale * reduce(add, counted, 0.0) / len(counted) if counted else None


class Floor:
    """The always-abstain floor: what a system gets that never answers.

    Feed it the questions in the file's order.
    """

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._groups: list[int] = []
        self._rows: list[Row] = []

    def add(self, question: Question, group: int) -> None:
        """Judge an abstention; a question without gold does not count."""
        if question.gold is not None and question.gold.answers:
            self._groups.append(group)
            self._rows.append(self._metric.judge(question, self._metric.abstention(question)))

    def means(self) -> dict[str, float | None]:
        """The floor of each measure, on the official scorer's scale."""
        if not self._rows:
            return {}
        return self._metric.means(self._metric.finish(self._groups, self._rows))
