"""Questions of a dialog to be answered one by one: validation, and the test of both tasks.

An answer that was given is final; then the next question is shown and, of a real dialog, before it
the teacher's own answer, so that it makes sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from lacuna.collect.tasks.quac.span_answers import (
    answer_problems,
    answers_agree,
    plain_answer,
    shown_answer,
)
from lacuna.collect.tasks.task import FieldProblem, Json

ANSWERING = "answering"
"""The kind of an item whose questions are answered."""
NO_DIALOG = 0
"""What stands for the number of a dialog in the test, which nobody has held."""


class AnsweringSteps:
    """What both tasks have in common; a ``SteppedTask``."""

    def steps(self, payload: Json) -> int:
        """One for each question."""
        return len(payload.get("questions", ()))

    def step(self, payload: Json, number: int) -> Json:
        """The question."""
        return {"question": payload["questions"][number]["text"]}

    def step_problems(self, payload: Json, number: int, answer: Any) -> Sequence[FieldProblem]:
        """A span or none, and whether that affirms."""
        return list(answer_problems(payload["text"], answer, follow_up=False))

    def plain_step(self, answer: Json) -> Json:
        """Its own fields."""
        return plain_answer(answer, follow_up=False)

    def after_step(self, payload: Json, number: int) -> Json:
        """The teacher's answer; of the test nothing: both tasks have the same, and it is retold."""
        if payload["dialog"] == NO_DIALOG:
            return {}
        return {"given": shown_answer(payload["text"], payload["questions"][number]["given"])}

    def stepped_work(self, answers: Sequence[Json]) -> Json:
        """All answers."""
        return {"answers": list(answers)}


def shown_section(payload: Json) -> Json:
    """The section; the questions come one by one."""
    names = ("kind", "title", "section", "background", "text", "sentences")
    return {**{name: payload[name] for name in names}, "questions": len(payload["questions"])}


def set_problems(payload: Json, work: Any) -> list[FieldProblem]:
    """What is wrong with a whole set of answers."""
    answers = work.get("answers") if isinstance(work, dict) else None
    wanted = len(payload["questions"])
    if not isinstance(answers, list) or len(answers) != wanted:
        return [FieldProblem("answers", f"Answer all {wanted} questions, one after another.")]
    return [
        problem
        for number, answer in enumerate(answers)
        for problem in answer_problems(
            payload["text"], answer, follow_up=False, field=f"answers.{number}"
        )
    ]


def sets_agree(payload: Json, work: Json, other: Json) -> float:
    """How far two sets of answers agree."""
    pairs = zip(work["answers"], other["answers"], strict=True)
    return fmean(answers_agree(payload["text"], *pair) for pair in pairs)
