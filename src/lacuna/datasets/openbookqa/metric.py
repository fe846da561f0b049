"""OpenBookQA's accuracy, as the leaderboard counts it: a tie of n choices earns 1/n."""

from __future__ import annotations

from lacuna.datasets.item import official_id
from lacuna.metrics.metric import Metric, Row
from lacuna.types import Answer, Prediction, Question

SEPARATOR = ";"


class OpenBookQAMetric(Metric):
    """Abstaining means naming every choice, so that the floor is chance."""

    measures = main = ("accuracy",)
    answer_measure = "accuracy"

    def prediction_ids(self, question: Question) -> tuple[str, ...]:
        """A prediction for the question itself holds for each of KGD's facts about it."""
        return question.id, official_id(question)

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        named = prediction.answer.label.split(SEPARATOR) if prediction and prediction.answer else []
        right = question.gold.answers[0].label in named
        return (1.0 / len(named) if right else 0.0,)

    def lacking(self, question: Question, prediction: Prediction) -> str | None:
        labels = {choice.label for choice in question.choices}
        named = prediction.answer.label.split(SEPARATOR) if prediction.answer else []
        return None if labels.issuperset(named) else "choice that the question offers"

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.choice(SEPARATOR.join(c.label for c in question.choices)))
