"""How many answers are right, how many questions without an answer are refused, and which pairs
of opposite questions are told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lacuna.datasets.real.judging import CORRECT, NONE, Judgement, outcome, text_of
from lacuna.metrics.metric import Metric, QuestionScore, Row
from lacuna.types import Answer, Prediction, Question

LONG = 12
"""Words that an answer may have before it counts as long. The patterns accept a whole sentence,
also where a name or a number is asked for."""


class RealMetric(Metric):
    """Judges by the patterns of the file.

    ``correct`` counts all questions, ``right`` and ``wrongly_none`` those that have an answer,
    ``refused`` those that have none, and ``over_12_words`` is the share of long ones among the
    right answers. A missing prediction counts as wrong.
    """

    measures = ("correct", "right", "wrongly_none", "refused", "over_12_words")
    main = measures
    answer_measure = "correct"
    right_or_wrong = True

    def __init__(self) -> None:
        self._partner: dict[str, str] = {}

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        match = question.extra["match"]
        if isinstance(partner := question.extra.get("pair"), str):
            self._partner[question.id] = partner
        answerable = match != NONE
        if prediction is None or prediction.answer is None:
            return (0.0, 0.0, 0.0, None, None) if answerable else (0.0, None, None, 0.0, None)
        text = text_of(prediction.answer)
        found = outcome(match, text)
        correct, right = float(found in CORRECT), found is Judgement.RIGHT
        if not answerable:
            return correct, None, None, correct, None
        long = float(len(text.split()) > LONG) if right else None
        return correct, correct, float(found is Judgement.WRONGLY_NONE), None, long

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.none())

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        return {**super().official(scores), **self._pairs(scores)}

    def _pairs(self, scores: Sequence[QuestionScore]) -> Mapping[str, Any]:
        """Of the pairs with opposite answers, how many have both right."""
        right = {score.id: bool(score.row[1]) for score in scores}
        pairs = {
            frozenset((id_, partner))
            for id_, partner in self._partner.items()
            if id_ != partner and id_ in right and partner in right
        }
        if not pairs:
            return {}
        won = sum(all(right[id_] for id_ in pair) for pair in pairs)
        return {"pairs_right": won / len(pairs), "pairs_total": len(pairs)}
