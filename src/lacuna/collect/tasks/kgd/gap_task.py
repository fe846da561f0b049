"""Round 2: the words of the fact that hint at the answer, and how the answer is related to them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from lacuna.collect.tasks.item_keys import key_of
from lacuna.collect.tasks.kgd.marked_gap import gap_problems, gap_score
from lacuna.collect.tasks.kgd.options import GAPS, option_problems
from lacuna.collect.tasks.kgd.statements import PLACE_WORDS, STATEMENTS
from lacuna.collect.tasks.kgd.trial import gap_trial
from lacuna.collect.tasks.knobs import defaults, set_to
from lacuna.collect.tasks.task import CollectTask, FieldProblem, Json, NewItem, TaskSettings
from lacuna.corpus.store import Store

SHOWN = ("question", "choices", "answer", "fact")


class KGDGaps(CollectTask):
    """The knowledge gap (appendix A).

    Its items are the pairs that round 1 has settled on, drawn when somebody asks for one.
    """

    name = "kgd-gaps"
    title = "What is missing between fact and answer?"
    instructions = "kgd-gaps"
    form = "kgd-gaps"
    settings = TaskSettings(pay_cents=20, minutes=30, inspect_first=1, more=defaults(GAPS))

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        return option_problems(settings, GAPS)

    def draw_item(
        self, corpus: Store, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> NewItem | None:
        """The first pair that is not there yet; None where round 1 has settled on no more."""
        people = set_to(settings, GAPS)["people"]
        for pair in settings.more.get("pairs", ()):
            key = key_of(pair["split"], pair["id"], pair["fact"])
            if key not in taken:
                return NewItem(key, pair, people, pair["split"])
        return None

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Gaps of ours."""
        return gap_trial()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The question, the right choice, the fact, and what the statements are made of."""
        parts = {name: payload[name] for name in SHOWN}
        return {**parts, "statements": STATEMENTS, "place_words": PLACE_WORDS}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """There is a key term, and a relation."""
        return list(gap_problems(payload, work))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """Half for words in common, half for relations in common."""
        if self.check(payload, work, self.settings):
            return 0.0
        return gap_score(work, gold)
