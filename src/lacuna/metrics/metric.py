"""What an official scorer is here: a judge of single questions and a summary of all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from lacuna.types import AnswerKind, Prediction, Question

Values = dict[str, float | None]
"""The measures of one question; None where the question does not count for a measure."""


@dataclass(slots=True)
class QuestionScore:
    """How one question was answered.

    ``group`` numbers the passage or dialog that the question is about.
    """

    id: str
    group: int
    kind: AnswerKind
    predicted: bool
    values: Values


class Metric(ABC):
    """An official scorer."""

    scale: ClassVar[float] = 1.0
    """What a perfect score is: 1 or 100, as the official scorer has it."""
    main: ClassVar[tuple[str, ...]]
    """The measures to show first; one that a file does not have is passed over."""

    @abstractmethod
    def judge(self, question: Question, prediction: Prediction | None) -> Values:
        """Score one question; the prediction is None where it is missing."""

    @abstractmethod
    def abstention(self, question: Question) -> Prediction:
        """The prediction of a system that never answers."""

    def kind(self, question: Question) -> AnswerKind:
        """The kind of answer that the question wants."""
        assert question.gold is not None
        return question.gold.answers[0].kind

    def finish(self, scores: Sequence[QuestionScore]) -> None:
        """Add measures that need all questions of a group."""
        return

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        """The numbers that the official scorer prints, under its own names."""
        return self.means(scores)

    def means(self, scores: Sequence[QuestionScore]) -> dict[str, float | None]:
        """The mean of each measure over the questions that count for it."""
        measures = scores[0].values if scores else {}
        return {
            measure: self._mean(score.values.get(measure) for score in scores)
            for measure in measures
        }

    def _mean(self, values: Iterable[float | None]) -> float | None:
        # Summed one by one, as the official scorers do: sum() corrects rounding since Python 3.12.
        total, count = 0.0, 0
        for value in values:
            if value is not None:
                total += value
                count += 1
        return self.scale * total / count if count else None
