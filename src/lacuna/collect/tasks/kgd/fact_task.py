"""Round 1: which facts bear on a question, and which of these point to one answer alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from lacuna.collect.tasks.kgd.fact_verdicts import kept_pairs, same_verdicts, verdict_problems
from lacuna.collect.tasks.kgd.options import FACTS, option_problems
from lacuna.collect.tasks.kgd.question_file import fact_items
from lacuna.collect.tasks.kgd.trial import fact_trial
from lacuna.collect.tasks.knobs import defaults, set_to
from lacuna.collect.tasks.task import (
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)
from lacuna.corpus.store import Store

SHOWN = ("question", "choices", "facts")


class KGDFacts(CollectTask):
    """Fact relevance (appendix A). The paper does not say what it paid; the default is ours."""

    name = "kgd-facts"
    title = "Which facts help?"
    instructions = "kgd-facts"
    form = "kgd-facts"
    settings = TaskSettings(pay_cents=15, minutes=30, inspect_first=0, more=defaults(FACTS))

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        return option_problems(settings, FACTS)

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """A question with the facts that were found for it; the corpus has no part in it."""
        return fact_items(set_to(settings, FACTS))

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Two questions of ours."""
        return fact_trial()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The question, its choices and the facts; not which choice is right."""
        return {name: payload[name] for name in SHOWN}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every fact needs a verdict."""
        return list(verdict_problems(payload, work))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """The share of facts that are judged alike."""
        if self.check(payload, work, self.settings):
            return 0.0
        return same_verdicts(work, gold)

    def settle(
        self, finished: Sequence[FinishedWork], settings: TaskSettings
    ) -> Mapping[str, Json]:
        """The pairs of a question and a fact that enough people found relevant and unique."""
        enough = set_to(settings, FACTS)["enough"]
        return {"kgd-gaps": {"pairs": kept_pairs(finished, enough)}}
