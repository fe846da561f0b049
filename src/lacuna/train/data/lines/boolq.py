"""BoolQ: questions for yes or no that people typed, each with a paragraph that decides it."""

from __future__ import annotations

from lacuna.datasets.fields import Fields
from lacuna.types import Answer, Document, Gold, Question


def decode(fields: Fields, number: int) -> Question:
    """A line: ``question``, ``title``, ``passage`` and ``answer``."""
    document = Document(fields.text("title"), fields.text("passage"))
    gold = Gold((yes_or_no(fields),))
    return Question(str(number), fields.text("question"), document, gold=gold)


def yes_or_no(fields: Fields) -> Answer:
    """The answer of a line whose ``answer`` is true or false."""
    answer = fields.peek("answer")
    if not isinstance(answer, bool):
        raise fields.bad("answer", "true or false")
    return Answer.yes() if answer else Answer.no()
