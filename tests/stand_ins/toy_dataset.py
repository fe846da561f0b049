"""A dataset as another package may offer it: capitals of countries, one question a line."""

from __future__ import annotations

from typing import Any

from lacuna.answers import AnswerMode
from lacuna.datasets.base import Dataset, Form, Item, Raw, Setting, by_name
from lacuna.files.json import Encoded, Shape
from lacuna.metrics.metric import Metric, Row
from lacuna.types import Answer, Document, Gold, Prediction, Question


def _looks_like(value: Any) -> bool:
    return isinstance(value, dict) and {"country", "capital"} <= value.keys()


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    country, capital = fields.text("country"), fields.text("capital")
    context = Document(country, fields.text("text"))
    gold = Gold((Answer.span(capital) if capital else Answer.none(),))
    return Item.of(Question(country, "What is its capital?", context, gold=gold))


def _encode(item: Item) -> Encoded:
    question = item.question
    assert question.context is not None
    assert question.gold is not None
    (answer,) = question.gold.answers
    text, capital = question.context.text, "".join(answer.texts)
    return None, {"country": question.id, "text": text, "capital": capital}


class ToyMetric(Metric):
    """Right or wrong."""

    measures = main = ("right",)
    answer_measure = "right"

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        answer = prediction and prediction.answer
        return (float(bool(answer and answer.text == question.gold.answers[0].text)),)

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.none())


class Toy(Dataset):
    """Capitals."""

    name = "toy"
    about = "capitals of countries"
    forms = (Form("capitals", (Shape.LINES, Shape.LIST), _looks_like, _decode, _encode),)
    settings = by_name(
        Setting("text", AnswerMode.EXTRACT),
        Setting("wide", AnswerMode.ASK, over_corpus=True),
    )
    no_answer = "nowhere"

    def metric(self, **options: Any) -> Metric:
        return ToyMetric()


class Misnamed(Toy):
    """Offered under another name than its own."""

    name = "other"


class Bare(Dataset):
    """Says nothing of itself."""

    name = "bare"

    def metric(self, **options: Any) -> Metric:
        return ToyMetric()
