"""Answering the questions of one set, with the linked articles at hand."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.collect.tasks.iirc.answer_check import answer_set_problems
from lacuna.collect.tasks.iirc.answer_trial import answer_trial
from lacuna.collect.tasks.iirc.given_answers import agree, given_answers
from lacuna.collect.tasks.task import (
    CollectTask,
    FieldProblem,
    Json,
    NewItem,
    TaskSettings,
)

SHOWN_OF_QUESTION = ("paragraph", "text", "context", "links")


class IIRCAnswers(CollectTask):
    """The answer task (section 2.3); its items are the question task's accepted sets."""

    name = "iirc-answers"
    title = "Answer from linked articles"
    instructions = "iirc-answers"
    form = "iirc-answers"
    shared = "articles"
    reads_shared = True
    settings = TaskSettings(pay_cents=300, minutes=120)

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """It has no settings of its own: the question task decides what is to be answered."""
        return [
            FieldProblem(f"more.{name}", "There is no such setting; look at iirc-questions.")
            for name in settings.more
        ]

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A set of questions about a text of our own."""
        return [answer_trial()]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The questions, their paragraphs, and the articles that these link to."""
        return {
            "questions": [
                {name: question[name] for name in SHOWN_OF_QUESTION}
                for question in payload["questions"]
            ],
            "paragraphs": payload["paragraphs"],
            "articles": payload["articles"],
        }

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every question is answered, and every place that is named is there."""
        return list(answer_set_problems(payload, work))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """The share of questions that are answered as the gold answers them."""
        given, wanted = given_answers(payload, work), given_answers(payload, gold)
        return sum(map(agree, given, wanted)) / len(wanted)
