"""The dialog: a student asks about a section that only the teacher sees (section 2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from lacuna.collect.tasks.iirc.checking import text_problem
from lacuna.collect.tasks.iirc.paragraph_sets import TRAIN
from lacuna.collect.tasks.live_task import DialogRole, DialogRules
from lacuna.collect.tasks.quac.answering import (
    ANSWERING,
    AnsweringSteps,
    set_problems,
    sets_agree,
    shown_section,
)
from lacuna.collect.tasks.quac.options import defaults, option_problems, options_of, rules_of
from lacuna.collect.tasks.quac.sections import SECTION, section_items
from lacuna.collect.tasks.quac.simulated_talk import simulated_answer, simulated_question
from lacuna.collect.tasks.quac.span_answers import (
    NONE,
    answer_problems,
    plain_answer,
    shown_answer,
)
from lacuna.collect.tasks.quac.trial import trial_items
from lacuna.collect.tasks.task import (
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)
from lacuna.corpus.store import Store

TASK, VALIDATION = "quac-dialogs", "quac-validation"
LONGEST_QUESTION = 300
SEEN_BY_STUDENT = ("title", "section", "background")
SEEN_BY_TEACHER = (*SEEN_BY_STUDENT, "text", "sentences")


class QuACDialogs(AnsweringSteps, CollectTask):
    """A ``LiveTask``; its test is answered alone, step by step."""

    name = TASK
    title = "Talk about a section"
    instructions = "quac-dialogs"
    form = "quac-dialogs"
    settings = TaskSettings(pay_cents=33, minutes=120, inspect_first=0, more=defaults())

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Numbers within reason, and such as go together."""
        return option_problems(settings)

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """Sections with the paper's filters."""
        return section_items(corpus, options_of(settings))

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Questions to be answered as a teacher does."""
        return trial_items()

    def follow_up(
        self, finished: FinishedWork, settings: TaskSettings
    ) -> Mapping[str, Sequence[NewItem]]:
        """Evaluation dialogs are answered by others again, never by who held them."""
        work = finished.work
        is_ours = work.get("role") == DialogRole.TEACHER and not work.get("simulated")
        if finished.split in ("", TRAIN) or not is_ours:
            return {}
        payload = {
            **finished.payload,
            "kind": ANSWERING,
            "dialog": work["dialog"],
            "questions": [
                {
                    "id": f"{work['dialog']}-{number}",
                    "text": turn["question"],
                    "given": turn["answer"],
                }
                for number, turn in enumerate(work["turns"])
            ],
        }
        item = NewItem(
            f"dialog-{work['dialog']}",
            payload,
            copies=options_of(settings)["validators"],
            split=finished.split,
            not_for=tuple(work["people"]),
        )
        return {VALIDATION: [item]}

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """Of a section, what both may see; of the test, the section without its questions."""
        if payload["kind"] == ANSWERING:
            return shown_section(payload)
        return {"kind": SECTION, **self.seen_by(payload, DialogRole.STUDENT)}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """The test alone is handed in; a dialog is written down while it is held."""
        if payload["kind"] == ANSWERING:
            return set_problems(payload, work)
        return [FieldProblem("dialog", "A dialog stays as its two people have held it.")]

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """How far the answers of the test agree with ours; no two dialogs compare."""
        if payload["kind"] != ANSWERING:
            return float(work == gold)
        return sets_agree(payload, work, gold)

    def pay_for(self, work: Json, settings: TaskSettings) -> int:
        """For what was said."""
        return self.pay_for_pairs(len(work["turns"]), settings)

    def rules(self, settings: TaskSettings) -> DialogRules:
        """When dialogs begin and end."""
        return rules_of(settings)

    def seen_by(self, payload: Json, role: DialogRole) -> Json:
        """The section's text is for the teacher alone."""
        names = SEEN_BY_TEACHER if role is DialogRole.TEACHER else SEEN_BY_STUDENT
        return {name: payload[name] for name in names}

    def question_problems(self, question: Any) -> Sequence[FieldProblem]:
        """A line of text."""
        problem = text_problem(question, "a question", LONGEST_QUESTION)
        return [FieldProblem("question", problem)] if problem else []

    def answer_problems(self, payload: Json, answer: Any) -> Sequence[FieldProblem]:
        """A span of the section or none, and both acts."""
        return list(answer_problems(payload["text"], answer, follow_up=True))

    def plain_answer(self, answer: Json) -> Json:
        """Its own fields."""
        return plain_answer(answer, follow_up=True)

    def answer_seen_by(self, payload: Json, answer: Json, role: DialogRole) -> Json:
        """Words and acts; the teacher sees where it stands, too."""
        shown = shown_answer(payload["text"], answer)
        if role is DialogRole.TEACHER and "start" in answer:
            shown |= {"start": answer["start"], "end": answer["end"]}
        return shown

    def is_no_answer(self, answer: Json) -> bool:
        """Whether the section does not tell."""
        return bool(answer["kind"] == NONE)

    def pay_for_pairs(self, pairs: int, settings: TaskSettings) -> int:
        """Each pair brings more than the one before; over a whole dialog ``pay_cents`` on average.

        >>> QuACDialogs().pay_for_pairs(12, QuACDialogs.settings)
        396
        >>> [QuACDialogs().pay_for_pairs(pairs, QuACDialogs.settings) for pairs in (1, 2, 3)]
        [22, 46, 72]
        """
        options = options_of(settings)
        middle: float = (options["most_pairs"] + 1) / 2
        growth: int = options["pay_growth_cents"]
        each = (settings.pay_cents + growth * (number - middle) for number in range(1, pairs + 1))
        return max(0, round(sum(each)))

    def simulated_question(self, payload: Json, pairs: Sequence[tuple[str, Json]]) -> str:
        """Ask without having read anything but what a student sees."""
        return simulated_question(payload, len(pairs))

    def simulated_answer(self, payload: Json, question: str) -> Json:
        """Answer by the words of the question."""
        return simulated_answer(payload, question)
