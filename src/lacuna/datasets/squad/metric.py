"""SQuAD's scorers, 1.1 and 2.0, and 2.0's best thresholds for saying that there is no answer.

Which of the two a question gets is told by ``is_impossible``, which only 2.0 has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from lacuna.errors import LacunaError
from lacuna.metrics.metric import Metric, QuestionScore, Row
from lacuna.metrics.normalise import normalise, overlap
from lacuna.types import Answer, AnswerKind, Prediction, Question

THRESHOLD = 1.0
"""The official default: above it, a probability of no answer overrides the prediction."""
ABSTENTION = Prediction(Answer.none())


class SquadMetric(Metric):
    """A missing prediction counts as wrong (the 2.0 script cannot score a file that lacks one)."""

    scale = 100.0

    def __init__(self, no_answer_probability: Mapping[str, float] | None = None) -> None:
        self._probability = no_answer_probability
        self._second = False

    @property
    def main(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("exact" if self._second else "exact_match", "f1")

    @property
    def measures(self) -> tuple[str, ...]:  # type: ignore[override]
        more = () if self._probability is None else ("raw_exact", "raw_f1", "answered")
        return (*self.main, *more)

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        text = _text(prediction)
        answers = [a.texts[0] for a in question.gold.answers if a.kind is not AnswerKind.NONE]
        second = "is_impossible" in question.extra
        self._second |= second
        exact, f1 = (_second if second else _first)(text, answers)
        if self._probability is None:
            return exact, f1
        raw = exact, f1, float(bool(text))
        if self._probability_of(question.id) > THRESHOLD:
            exact = f1 = float(not answers)
        return exact, f1, *raw

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        if not self._second:
            if self._probability is not None:
                raise LacunaError("--na-prob belongs to SQuAD 2.0; this file is 1.1. Leave it out.")
            return super().official(scores)
        summary = self._part("", scores)
        for name, wanted in (("HasAns_", True), ("NoAns_", False)):
            summary |= self._part(name, [s for s in scores if _has_answer(s) is wanted])
        if self._probability is not None:
            for measure in ("exact", "f1"):
                best, threshold = self._best(scores, self.measures.index(f"raw_{measure}"))
                summary |= {f"best_{measure}": best, f"best_{measure}_thresh": threshold}
        return summary

    def _part(self, name: str, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        if not scores:
            return {}
        means = self.means([score.row for score in scores])
        return {
            f"{name}exact": means["exact"],
            f"{name}f1": means["f1"],
            f"{name}total": len(scores),
        }

    def _best(self, scores: Sequence[QuestionScore], measure: int) -> tuple[float, float]:
        """The threshold that gives the highest score, by trying each probability in turn."""
        answered = self.measures.index("answered")
        total = best = float(sum(not _has_answer(score) for score in scores))
        threshold = 0.0
        assert self._probability is not None
        by_id = {score.id: score for score in scores}
        # Equal probabilities stay in the order of their file, as in the official script.
        for id_, probability in sorted(self._probability.items(), key=itemgetter(1)):
            score = by_id.get(id_)
            if score is None:
                continue
            if _has_answer(score):
                total += score.row[measure] or 0.0
            elif score.row[answered]:
                total -= 1
            if total > best:
                best, threshold = total, probability
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
