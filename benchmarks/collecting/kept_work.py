"""Whether all that was acknowledged is kept: each once, as it was, paid once, and exported once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.collecting.busy_person import Drafts, HandedIn
from lacuna_collect.project import CollectProject
from lacuna_collect.tasks.iirc_questions import SPLITS


@dataclass(frozen=True, slots=True)
class KeptWork:
    """What a project holds of what its people were told is handed in."""

    acknowledged: int
    lost: int
    changed: int
    besides: int
    """Kept, and not acknowledged: the answer did not arrive, or only later."""
    twice: int
    """Sets of one person on one item that are there, or were paid, more than once."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing and nothing is there twice."""
        return not (self.lost or self.changed or self.twice)

    def line(self) -> str:
        """The cells of a table."""
        counts = (self.acknowledged, self.lost, self.changed, self.twice, self.besides)
        return " | ".join(f"{count:,}" for count in counts)


HEAD = (
    "| project | sets acknowledged | lost | changed | twice | kept besides |",
    "|---|---|---|---|---|---|",
)


def kept_work(project: Path, handed_in: Iterable[HandedIn]) -> KeptWork:
    """Compare receipts with what is finished in a project; tests are no part of it."""
    told = [one for one in handed_in if not one.is_test]
    with CollectProject.open(project) as opened:
        finished = opened.work.finished.all()
        paid = Counter(row.assignment for row in opened.work.ledger.rows() if row.kind == "pay")
    kept = {f"S{one.submission}": one.work for works in finished.values() for one in works}
    sets = Counter(
        (task, one.item_key, one.person) for task, works in finished.items() for one in works
    )
    receipts = {one.receipt for one in told}
    return KeptWork(
        acknowledged=len(told),
        lost=sum(one.receipt not in kept for one in told),
        changed=sum(one.receipt in kept and kept[one.receipt] != one.work for one in told),
        besides=len(kept.keys() - receipts),
        twice=sum(count - 1 for count in (sets + paid).values())
        + len(told)
        - len(receipts)
        + abs(len(paid) - len(kept)),
    )


def drafts_lost(project: Path, drafts: Drafts) -> int:
    """Of work that was not handed in: drafts that are neither the last acknowledged nor newer."""
    from sqlalchemy import select

    from lacuna_collect.database.tables import ASSIGNMENT

    with CollectProject.open(project) as opened, opened.database.read() as transaction:
        rows = transaction.execute(select(ASSIGNMENT.c.id, ASSIGNMENT.c.draft))
        kept = {row.id: row.draft for row in rows if row.id in drafts}
    return sum(kept.get(one) not in last for one, last in drafts.items())


def exported_wrongly(project: Path, out: Path) -> int:
    """Questions that were accepted and are not in the export once, or named once as left out."""
    out.mkdir()
    with CollectProject.open(project) as opened:
        report = opened.export(out)
        finished = opened.work.finished.of("iirc-questions")
    places = Counter(
        question["qid"]
        for split in SPLITS
        for passage in json.loads((out / f"{split}.json").read_text(encoding="utf-8"))
        for question in passage["questions"]
    )
    places.update(list(report["written"]["left_out"]["by_question"]))
    written = {
        f"q{one.submission}-{number}"
        for one in finished
        for number in range(len(one.work["questions"]))
    }
    return sum(places[one] != 1 for one in written | places.keys())
