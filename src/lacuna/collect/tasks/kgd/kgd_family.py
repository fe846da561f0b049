"""Both rounds together, and the knowledge-gap dataset that they become."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from lacuna.collect.tasks.kgd.assembly import collected_gaps, reasons, write_gaps
from lacuna.collect.tasks.kgd.fact_task import KGDFacts
from lacuna.collect.tasks.kgd.fact_verdicts import judged_facts, kept_pairs, same_verdicts
from lacuna.collect.tasks.kgd.gap_task import KGDGaps
from lacuna.collect.tasks.kgd.marked_gap import listed, overlap
from lacuna.collect.tasks.kgd.options import FACTS, GAPS
from lacuna.collect.tasks.knobs import set_to
from lacuna.collect.tasks.same_item import by_item, pairs
from lacuna.collect.tasks.task import CollectTask, FinishedWork, Json, TaskSettings
from lacuna.corpus.store import Store
from lacuna.metrics.krippendorff import nominal_alpha


class KGDFamily:
    """KGD."""

    name = "kgd"
    dataset = "openbookqa"
    companions: tuple[str, ...] = ()
    tasks: Sequence[CollectTask] = (KGDFacts(), KGDGaps())

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        """Of verdicts on facts, and of what is marked and ticked."""
        facts, gaps = finished.get(KGDFacts.name, ()), finished.get(KGDGaps.name, ())
        judged = [said for works in by_item(facts).values() for _, said in judged_facts(works)]
        return {
            KGDFacts.name: {
                "agreement": _mean(facts, same_verdicts),
                "alpha": nominal_alpha(judged),
            },
            KGDGaps.name: {
                "words_in_common": _mean(gaps, overlap),
                "a_relation_in_common": _mean(gaps, _shared),
            },
        }

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        """Write a file for each split in KGD's format; say what was left out, and why."""
        given = settings or {}
        more = set_to(given.get(KGDGaps.name, KGDGaps.settings), GAPS)
        enough = set_to(given.get(KGDFacts.name, KGDFacts.settings), FACTS)["enough"]
        facts = finished.get(KGDFacts.name, ())
        gaps = collected_gaps(finished.get(KGDGaps.name, ()), more)
        kept = {_name(pair) for pair in kept_pairs(facts, enough)}
        judged = sum(len(works[0].payload["facts"]) for works in by_item(facts).values())
        return {
            "written": write_gaps(gaps, out),
            "facts": {"judged": judged, "relevant_and_unique": len(kept)},
            "left_out": {
                "pairs": sum(gap.left_out is not None for gap in gaps),
                "reasons": reasons(gaps),
                "not_described_yet": len(kept - {_name(gap.payload) for gap in gaps}),
            },
        }


def _name(pair: Json) -> tuple[str, str]:
    """What tells a question with its fact from others."""
    return pair["id"], pair["fact"]


def _shared(one: Json, other: Json) -> bool:
    return not set(listed(one)).isdisjoint(listed(other))


def _mean(works: Sequence[FinishedWork], alike: Callable[[Json, Json], float]) -> float | None:
    """The mean over all two people who did the same item."""
    values = [alike(one.work, other.work) for one, other in pairs(works)]
    return fmean(values) if values else None


FAMILY = KGDFamily()
