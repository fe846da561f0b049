"""Curation: people look at sample pairs of a group and say whether a question could be asked.

A group is a category of bridges, or a list of things to compare; those with a high rate are used.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from random import Random

from lacuna.collect.tasks.hotpotqa.candidate_pairs import PairSource, pair_key
from lacuna.collect.tasks.hotpotqa.drawing import pair_payload
from lacuna.collect.tasks.hotpotqa.groups import Groups
from lacuna.collect.tasks.hotpotqa.more_settings import CURATION
from lacuna.collect.tasks.knobs import check_more, defaults, set_to
from lacuna.collect.tasks.task import (
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)
from lacuna.corpus.mining.pairs import Pair
from lacuna.corpus.store import Store

SHOWN = ("kind", "paragraphs", "anchors")
FIELD = "askable"


class CurationTask(CollectTask):
    """What both tasks of curation share; a subclass says what groups and pairs there are."""

    name: str
    title: str
    instructions: str
    form: str
    chosen_name: str
    """The setting of the question task that holds the chosen groups."""
    file_name: str
    """The setting of the question task that names the groups' file."""
    settings = TaskSettings(
        pay_cents=50, minutes=60, inspect_first=0, pass_mark=0.75, more=defaults(CURATION)
    )

    @abstractmethod
    def groups(self, corpus: Store, file: str) -> Groups:
        """The groups to look at."""

    @abstractmethod
    def pairs(self, corpus: Store, group: str, titles: Sequence[str]) -> PairSource:
        """Where the pairs of a group are drawn from."""

    @abstractmethod
    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A group of ours."""

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        return check_more(settings, CURATION)

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """An item for each group, with sample pairs; a group that has no pair gives none."""
        more = set_to(settings, CURATION)
        for group, titles in self.groups(corpus, more["groups_file"]).items():
            # Its own for each group, so that other groups change nothing about it.
            order = Random(f"{more['seed']}\n{self.name}\n{group}")
            pairs = _sample(self.pairs(corpus, group, titles), order, more["pairs_per_group"])
            if pairs:
                payload = {
                    "group": group,
                    "size": len(titles),
                    "pairs": [_kept(corpus, pair) for pair in pairs],
                }
                key = blake2b(group.encode(), digest_size=12).hexdigest()
                yield NewItem(f"group-{key}", payload, copies=more["copies"])

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The group and its pairs."""
        pairs = [{name: pair[name] for name in SHOWN} for pair in payload["pairs"]]
        return {"group": payload["group"], "pairs": pairs}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every pair needs a verdict."""
        verdicts = work.get(FIELD) if isinstance(work, dict) else None
        if not isinstance(verdicts, list) or set(work) != {FIELD}:
            return [FieldProblem(FIELD, "Say of each pair whether a question could be asked.")]
        if len(verdicts) > len(payload["pairs"]):
            return [FieldProblem(FIELD, "There are fewer pairs than this.")]
        return [
            FieldProblem(f"{FIELD}.{place}", "Could a good question be asked about these two?")
            for place in range(len(payload["pairs"]))
            if place >= len(verdicts) or type(verdicts[place]) is not bool
        ]

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """The share of pairs on which work and gold agree."""
        if self.check(payload, work, self.settings):
            return 0.0
        right = [mine is other for mine, other in zip(work[FIELD], gold[FIELD], strict=True)]
        return sum(right) / len(right)

    def settle(
        self, finished: Sequence[FinishedWork], settings: TaskSettings
    ) -> Mapping[str, Json]:
        """Choose the groups with a high rate, for the question task; nothing before the first."""
        if not finished:
            return {}
        more = set_to(settings, CURATION)
        rates = group_rates(finished)
        names = [group for group, rate in rates.items() if rate >= more["least_rate"]]
        settled = {self.chosen_name: names, self.file_name: more["groups_file"]}
        return {"hotpotqa-questions": settled}


def group_rates(finished: Iterable[FinishedWork]) -> dict[str, float]:
    """The share of sample pairs of each group that a question could be asked about."""
    asked: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for work in finished:
        group = str(work.payload["group"])
        asked[group] += sum(work.work[FIELD])
        seen[group] += len(work.work[FIELD])
    return {group: asked[group] / seen[group] for group in sorted(seen)}


def _sample(source: PairSource, random: Random, count: int) -> list[Pair]:
    pairs: dict[str, Pair] = {}
    while len(pairs) < count:
        pair = source.draw(random, lambda pair: pair_key(pair) not in pairs)
        if pair is None:
            break
        pairs[pair_key(pair)] = pair
    return list(pairs.values())


def _kept(corpus: Store, pair: Pair) -> Json:
    payload = pair_payload(corpus, pair)
    return {name: payload[name] for name in SHOWN}
