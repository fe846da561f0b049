"""Validation: the questions of an evaluation dialog get more answers (section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.collect.tasks.quac.answering import (
    AnsweringSteps,
    set_problems,
    sets_agree,
    shown_section,
)
from lacuna.collect.tasks.quac.dialog_task import TASK, VALIDATION
from lacuna.collect.tasks.quac.trial import trial_items
from lacuna.collect.tasks.task import CollectTask, FieldProblem, Json, NewItem, TaskSettings


class QuACValidation(AnsweringSteps, CollectTask):
    """Its items are the dialogs of dev and test."""

    name = VALIDATION
    title = "Answer the questions of a dialog"
    instructions = "quac-validation"
    form = "quac-answers"
    settings = TaskSettings(pay_cents=150, minutes=120, inspect_first=0)

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """It has none of its own: the dialog task decides how many people answer."""
        return [
            FieldProblem(f"more.{name}", f"There is no such setting; look at {TASK}.")
            for name in settings.more
        ]

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """The same as for the dialog."""
        return trial_items()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The section; questions and the teacher's answers come one by one."""
        return shown_section(payload)

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every question is answered."""
        return set_problems(payload, work)

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """How far two people's answers agree."""
        return sets_agree(payload, work, gold)
