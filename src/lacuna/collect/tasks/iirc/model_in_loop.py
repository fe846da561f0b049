"""A reader that reads along while questions are written: can the paragraph answer them already?"""

from __future__ import annotations

from typing import Any

from lacuna.collect.tasks.iirc.checking import text_problem
from lacuna.collect.tasks.task import Json
from lacuna.models.protocol import Reader
from lacuna.types import AnswerKind, Document, Question, Span

ANSWERABLE = "This one is answerable here: the model answers “{}” from the paragraph alone."
NOT_ANSWERABLE = "The model does not find the answer in the paragraph. That is how it should be."


def says_reader(reader: Reader, payload: Json, work: Any, part: str) -> Json:
    """What a reader makes of one question with nothing but its paragraph."""
    asked = _question(payload, work, part)
    if isinstance(asked, str):
        return {"message": asked}
    (prediction,) = reader.read([asked])
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.NONE:
        return {"question": asked.text, "answerable": False, "message": NOT_ANSWERABLE}
    return {
        "question": asked.text,
        "answerable": True,
        "answer": answer.text,
        "confidence": prediction.confidence,
        "message": ANSWERABLE.format(answer.text),
    }


def _question(payload: Json, work: Any, part: str) -> Question | str:
    """The question that is meant, or why there is none."""
    list_name, _, number = part.partition(".")
    questions = work.get("questions") if isinstance(work, dict) else None
    if list_name != "questions" or not isinstance(questions, list) or not number.isdecimal():
        return "There is no such question."
    question = questions[int(number)] if len(number) < 6 and int(number) < len(questions) else None
    if not isinstance(question, dict):
        return "There is no such question."
    if problem := text_problem(question.get("text"), "the question first"):
        return problem
    for paragraph in payload.get("paragraphs", ()):
        if paragraph["id"] == question.get("paragraph"):
            sentences = tuple(Span(start, end) for start, end in paragraph["sentences"])
            context = Document(paragraph["title"], paragraph["text"], sentences)
            return Question(part, question["text"].strip(), context)
    return "Choose the paragraph first that this is about."
