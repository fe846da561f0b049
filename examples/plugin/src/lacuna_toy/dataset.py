"""A dataset: a line of JSON for each question, with its text and its answer.

{"id": "t1", "text": "The ferry sails at nine.", "question": "When does it sail?", "answer": "nine"}

The answer is null where the text has none, and is not there at all where it is hidden.
"""

from __future__ import annotations

from typing import Any

from lacuna.answers import AnswerMode
from lacuna.datasets.base import Dataset, Form, Item, Raw, Setting, by_name
from lacuna.files.json import Encoded, Shape
from lacuna.metrics.metric import Metric, Row
from lacuna.text import words
from lacuna.types import Answer, Document, Gold, Prediction, Question


def looks_like_toy(value: Any) -> bool:
    """Tell a line of this dataset from those of all others."""
    return isinstance(value, dict) and {"id", "text", "question"} <= value.keys()


def decode(raw: Raw) -> Item:
    """A line as a question; a field that is not as it should be is named in the error."""
    fields = raw.fields
    id_, document = fields.text("id"), Document("", fields.text("text"))
    gold = None
    if "answer" in raw.value:
        answer = fields.optional_text("answer")
        gold = Gold((Answer.none() if answer is None else Answer.span(answer),))
    question = fields.text("question")
    return Item.of(Question(id_, question, document, gold=gold, extra=fields.rest()))


def encode(item: Item) -> Encoded:
    """The line that ``decode`` reads as this item; fields that it does not know are kept."""
    question = item.question
    assert question.context is not None
    line: dict[str, Any] = {
        "id": question.id,
        "text": question.context.text,
        "question": question.text,
    }
    if question.gold is not None:
        texts = question.gold.answers[0].texts
        line["answer"] = texts[0] if texts else None
    return None, {**line, **question.extra}


class ToyMetric(Metric):
    """Whether the answer has all the words of the right one, and how many more it has."""

    measures = ("right", "brevity")
    main = ("right",)
    answer_measure = "right"

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        """Each measure for one question; None where the question does not count for it."""
        assert question.gold is not None
        gold = set(words(" ".join(question.gold.answers[0].texts)))
        if prediction is None or prediction.answer is None:
            return 0.0, None
        said = set(words(" ".join(prediction.answer.texts)))
        right = gold <= said if gold else not said
        return float(right), len(gold) / len(said) if gold and right else None

    def abstention(self, question: Question) -> Prediction:
        """What a system would say that never answers."""
        return Prediction(Answer.none())


def without_text(question: Question) -> Question:
    """The question alone."""
    return Question(question.id, question.text)


class Toy(Dataset):
    """Questions about one text each."""

    name = "toy"
    about = "a text and a question in each line"
    forms = (Form("lines", (Shape.LINES, Shape.LIST), looks_like_toy, decode, encode),)
    settings = by_name(
        Setting("text", AnswerMode.ABSTAIN),
        Setting("closed-book", AnswerMode.ABSTAIN, without_text),
    )
    no_answer = "?"

    def metric(self, **options: Any) -> Metric:
        """The scorer; it takes no options."""
        return ToyMetric()
