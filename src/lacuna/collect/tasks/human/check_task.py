"""Answering questions of a dataset's file, to see how well people do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from lacuna.collect.tasks.human.given_answer import answer_problems, texts_in
from lacuna.collect.tasks.human.measuring import likeness
from lacuna.collect.tasks.human.sampling import sampled_items, setting_of
from lacuna.collect.tasks.human.sheets import OPTIONS, SHEETS
from lacuna.collect.tasks.human.trial import trial_item
from lacuna.collect.tasks.knobs import check_more, defaults, set_to
from lacuna.collect.tasks.task import CollectTask, FieldProblem, Json, NewItem, TaskSettings
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError

SHOWN = ("question", "fact", "choices")


class HumanCheck(CollectTask):
    """People answer a sample of questions; the papers do not say what they paid for it."""

    name = "human-check"
    title = "Answer questions"
    instructions = "human-check"
    form = "human-check"
    shared = "texts"
    reads_shared = True
    settings = TaskSettings(pay_cents=30, minutes=60, inspect_first=0, more=defaults(OPTIONS))

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        if problems := check_more(settings, OPTIONS):
            return problems
        try:
            setting_of(set_to(settings, OPTIONS))
        except LacunaError as error:
            return [FieldProblem("more.setting", str(error))]
        return []

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """A sample of the file, by the setting's own seed, so that it can be drawn again."""
        return sampled_items(set_to(settings, OPTIONS), corpus)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """One question of ours."""
        more = set_to(settings, OPTIONS)
        return [trial_item(more["dataset"], setting_of(more))]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The question with what may be read; never what the file answers."""
        sheet = SHEETS[payload["dataset"]]
        return {
            **{name: payload[name] for name in SHOWN},
            "texts": texts_in(payload),
            "kinds": [str(kind) for kind in sheet.kinds],
            "several_spans": sheet.several_spans,
            "supporting": sheet.supporting,
        }

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """The answer is whole, and stands in the texts where it should."""
        return list(answer_problems(payload, work))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """What the dataset's scorer says of it."""
        if self.check(payload, work, self.settings):
            return 0.0
        return likeness(payload, work, gold)
