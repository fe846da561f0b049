"""Questions that people wrote over collections of documents, each with the patterns of its answer.

For measuring and for choosing between models and settings, never for training: what is asked here
is what a user asks of documents that nobody trained on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.base import Dataset
from lacuna.datasets.prediction_files import write_texts
from lacuna.datasets.real.dialogs_format import DIALOGS, TURN
from lacuna.datasets.real.judging import matches, text_of
from lacuna.datasets.real.metric import RealMetric
from lacuna.datasets.real.questions_format import QUESTIONS, collection_of
from lacuna.datasets.setting import Setting, by_name, unanswered_history
from lacuna.metrics.metric import Metric
from lacuna.types import Answer, AnswerKind, Prediction, Question


def _by_itself(question: Question) -> Question:
    return replace(question, history=())


class RealQuestions(Dataset):
    """Real questions over real documents."""

    name = "real"
    about = "questions over collections of documents, judged by patterns; for measuring alone"
    forms = (QUESTIONS, DIALOGS)
    settings = by_name(
        Setting(
            "by-itself", AnswerMode.ASK, _by_itself, over_corpus=True, collection=collection_of
        ),
        Setting(
            "dialog",
            AnswerMode.ASK,
            unanswered_history,
            over_corpus=True,
            collection=collection_of,
            predicted_history=True,
        ),
    )
    no_answer = "none"
    for_training = False

    def metric(self, **options: Any) -> Metric:
        return RealMetric(**options)

    def facets(self, question: Question) -> dict[str, str]:
        extra = question.extra
        labels = {"type": extra.get("kind"), "turn": extra.get(TURN)}
        if (paraphrase := extra.get("paraphrase")) is not None:
            labels["words"] = "other than the evidence's" if paraphrase else "of the evidence"
        labels["corpus"] = collection_of(question)
        return {name: str(value) for name, value in labels.items() if value is not None}

    def oddities(self, question: Question) -> list[str]:
        match, gold = question.extra.get("match"), question.extra.get("gold")
        if match is not None and not matches(match, str(gold)):
            return ["a gold answer that its own pattern does not match"]
        return []

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        """Numbers are written with their unit, as they were judged."""
        write_texts(path, {id_: _readable(p) for id_, p in predictions.items()}, self.no_answer)


def _readable(prediction: Prediction) -> Prediction:
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.SPANS:
        return prediction
    return replace(prediction, answer=Answer.span(text_of(answer)))
