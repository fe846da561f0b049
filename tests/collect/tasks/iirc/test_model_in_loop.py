"""The reader that reads along."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from iirc_work import ANY_JSON, GOOD, QUESTIONS, WRITING

from lacuna.models.registry import open_reader
from lacuna.types import Answer, Prediction


class Says:
    """A reader with one answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def read(self, questions: Any, **_: Any) -> list[Prediction]:
        self.asked += questions
        return [Prediction(self.answer, confidence=0.5)] * len(questions)


def test_it_sees_the_paragraph_and_nothing_else() -> None:
    reader = Says(Answer.span("1887"))
    said = QUESTIONS.ask_model(reader, WRITING, {"questions": [GOOD]}, "questions.0")
    assert said["answerable"] is True
    assert "1887" in said["message"]
    (question,) = reader.asked
    assert question.context.title == "Marl Point Light"
    assert question.documents == ()
    said = QUESTIONS.ask_model(Says(Answer.none()), WRITING, {"questions": [GOOD]}, "questions.0")
    assert said["answerable"] is False


def test_the_shipped_reader_knows_what_the_paragraph_says() -> None:
    reader = open_reader("small")
    here = {**GOOD, "text": "Who designed Marl Point Light?"}
    said = QUESTIONS.ask_model(reader, WRITING, {"questions": [here]}, "questions.0")
    assert said["answer"] == "Ada Fenn"


@given(ANY_JSON, st.text() | st.from_regex(r"questions\.\d+"))
def test_anything_can_be_asked(value: Any, part: str) -> None:
    reader = Says(Answer.none())
    for work in (value, {"questions": value}, {"questions": [value]}):
        assert "message" in QUESTIONS.ask_model(reader, WRITING, work, part)
    for name in GOOD:
        work = {"questions": [{**GOOD, name: value}]}
        assert "message" in QUESTIONS.ask_model(reader, WRITING, work, "questions.0")
