"""What several people did with the same item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from lacuna.collect.tasks.task import FinishedWork


def by_item(finished: Iterable[FinishedWork]) -> dict[str, list[FinishedWork]]:
    """Everybody's work on each item, the earliest first."""
    works: dict[str, list[FinishedWork]] = {}
    for work in sorted(finished, key=lambda work: work.submission):
        works.setdefault(work.item_key, []).append(work)
    return works


def pairs(finished: Iterable[FinishedWork]) -> Iterator[tuple[FinishedWork, FinishedWork]]:
    """Any two people's work on the same item."""
    for works in by_item(finished).values():
        yield from combinations(works, 2)
