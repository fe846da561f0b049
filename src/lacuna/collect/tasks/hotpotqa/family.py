"""HotpotQA's tasks together, and what becomes of their work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from lacuna.collect.tasks.hotpotqa.assembly.exporting import write_export
from lacuna.collect.tasks.hotpotqa.categories import HotpotCategoriesTask, HotpotListsTask
from lacuna.collect.tasks.hotpotqa.curation import FIELD as ASKABLE
from lacuna.collect.tasks.hotpotqa.curation import group_rates
from lacuna.collect.tasks.hotpotqa.hops import FIELD as NEEDS
from lacuna.collect.tasks.hotpotqa.hops import ONE, HotpotHopsTask
from lacuna.collect.tasks.hotpotqa.more_settings import QUESTIONS
from lacuna.collect.tasks.hotpotqa.questions import HotpotQuestionsTask
from lacuna.collect.tasks.knobs import set_to
from lacuna.collect.tasks.task import CollectTask, FinishedWork, Json, TaskSettings
from lacuna.corpus.store import Store
from lacuna.models.registry import open_reader


class HotpotFamily:
    """Curation, then questions, then a look at how many paragraphs they take."""

    name = "hotpotqa"
    dataset = "hotpotqa"
    companions: tuple[str, ...] = ()
    tasks: Sequence[CollectTask] = (
        HotpotCategoriesTask(),
        HotpotListsTask(),
        HotpotQuestionsTask(),
        HotpotHopsTask(),
    )

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        """Rates of groups, agreement where several looked at one, and the share of single hops."""
        report: Json = {}
        for task in ("hotpotqa-categories", "hotpotqa-lists"):
            works = finished.get(task, ())
            report[task] = {"rates": group_rates(works), "agreement": _same_verdicts(works)}
        reviews = finished.get("hotpotqa-hops", ())
        single = sum(review.work[NEEDS] == ONE for review in reviews)
        report["hotpotqa-hops"] = {
            "reviewed": len(reviews),
            "single_hop": single / len(reviews) if reviews else None,
        }
        return report

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        """Write HotpotQA's files into a folder, and say what they hold."""
        own = (settings or {}).get("hotpotqa-questions", HotpotQuestionsTask.settings)
        return write_export(finished, set_to(own, QUESTIONS), corpus, out, open_reader)


def _same_verdicts(works: Sequence[FinishedWork]) -> float | None:
    """How often two people say the same of a pair; None where nobody looked at the same."""
    by_item: dict[str, list[list[bool]]] = {}
    for work in works:
        by_item.setdefault(work.item_key, []).append(work.work[ASKABLE])
    same = [
        one == other
        for verdicts in by_item.values()
        for first, second in combinations(verdicts, 2)
        for one, other in zip(first, second, strict=True)
    ]
    return sum(same) / len(same) if same else None


FAMILY = HotpotFamily()
