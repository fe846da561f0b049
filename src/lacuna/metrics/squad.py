"""SQuAD's scorers, 1.1 and 2.0, and 2.0's best thresholds for saying that there is no answer.

Which of the two a question gets is told by ``is_impossible``, which only 2.0 has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lacuna.errors import LacunaError
from lacuna.metrics.metric import Metric, QuestionScore, Values
from lacuna.metrics.normalise import normalise, overlap
from lacuna.types import Answer, AnswerKind, Prediction, Question

THRESHOLD = 1.0
"""The official default: above it, a probability of no answer overrides the prediction."""


class SquadMetric(Metric):
    """A missing prediction counts as wrong (the 2.0 script cannot score a file that lacks one)."""

    scale = 100.0
    main = ("exact", "exact_match", "f1")

    def __init__(self, no_answer_probability: Mapping[str, float] | None = None) -> None:
        self._probability = no_answer_probability

    def judge(self, question: Question, prediction: Prediction | None) -> Values:
        assert question.gold is not None
        text = _text(prediction)
        answers = [a.texts[0] for a in question.gold.answers if a.kind is not AnswerKind.NONE]
        if "is_impossible" not in question.extra:
            exact, f1 = _first(text, answers)
            return {"exact_match": exact, "f1": f1}
        exact, f1 = _second(text, answers)
        if self._probability is None:
            return {"exact": exact, "f1": f1}
        raw = {"raw_exact": exact, "raw_f1": f1, "answered": float(bool(text))}
        if self._probability_of(question.id) > THRESHOLD:
            exact = f1 = float(not answers)
        return {"exact": exact, "f1": f1, **raw}

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.none())

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        means = self.means(scores)
        if "exact_match" in means:
            return {name: means[name] for name in ("exact_match", "f1")}
        summary: dict[str, Any] = _part("", scores, means)
        for name, wanted in (("HasAns_", True), ("NoAns_", False)):
            part = [score for score in scores if _has_answer(score) is wanted]
            if part:
                summary |= _part(name, part, self.means(part))
        if self._probability is not None:
            for measure in ("exact", "f1"):
                best, threshold = self._best(scores, f"raw_{measure}")
                summary |= {f"best_{measure}": best, f"best_{measure}_thresh": threshold}
        return summary

    def _best(self, scores: Sequence[QuestionScore], measure: str) -> tuple[float, float]:
        """The threshold that gives the highest score, by trying each probability in turn."""
        total = best = float(sum(not _has_answer(score) for score in scores))
        threshold = 0.0
        for score in sorted(scores, key=lambda score: self._probability_of(score.id)):
            if _has_answer(score):
                total += score.values[measure] or 0.0
            elif score.values["answered"]:
                total -= 1
            if total > best:
                best, threshold = total, self._probability_of(score.id)
        return self.scale * best / len(scores), threshold

    def _probability_of(self, id_: str) -> float:
        assert self._probability is not None
        if id_ not in self._probability:
            raise LacunaError(
                f"The no-answer probabilities have none for question {id_!r}. "
                "Give one for every question, or leave --na-prob out."
            )
        return self._probability[id_]


def _text(prediction: Prediction | None) -> str | None:
    if prediction is None or prediction.answer is None:
        return None
    return "" if prediction.answer.kind is AnswerKind.NONE else prediction.answer.texts[0]


def _has_answer(score: QuestionScore) -> bool:
    return score.kind is not AnswerKind.NONE


def _part(
    name: str, scores: Sequence[QuestionScore], means: Mapping[str, float | None]
) -> dict[str, Any]:
    return {
        f"{name}exact": means["exact"],
        f"{name}f1": means["f1"],
        f"{name}total": len(scores),
    }


def _first(text: str | None, answers: Sequence[str]) -> tuple[float, float]:
    """SQuAD 1.1: the best over all references."""
    if text is None:
        return 0.0, 0.0
    prediction, references = normalise(text), [normalise(answer) for answer in answers]
    exact = float(prediction in references)
    return exact, max(overlap(prediction, reference).f1 for reference in references)


def _second(text: str | None, answers: Sequence[str]) -> tuple[float, float]:
    """SQuAD 2.0: references that normalise to nothing do not count; no answer is an empty text."""
    if text is None:
        return 0.0, 0.0
    references = [normalised for answer in answers if (normalised := normalise(answer))] or [""]
    prediction = normalise(text)
    exact = float(prediction in references)
    return exact, max(_f1(prediction, reference) for reference in references)


def _f1(prediction: str, reference: str) -> float:
    if not prediction or not reference:
        return float(prediction == reference)
    return overlap(prediction, reference).f1
