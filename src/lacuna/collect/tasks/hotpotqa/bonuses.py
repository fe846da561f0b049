"""Bonuses (appendix A.2): for the best workers of every 200 examples, and for pace.

The paper mixes both and names no sums; ours are defaults that can be set. Each bonus has a key, so
that reckoning again, with more work accepted, does not pay one twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lacuna.collect.tasks.hotpotqa.more_settings import QUESTIONS
from lacuna.collect.tasks.knobs import set_to
from lacuna.collect.tasks.task import Bonus, FinishedWork, Json, TaskSettings

HOUR = 3600


def bonuses(finished: Sequence[FinishedWork], settings: TaskSettings) -> list[Bonus]:
    """All bonuses that accepted questions have earned so far, in the order of their submission."""
    more = set_to(settings, QUESTIONS)
    in_order = sorted(finished, key=lambda work: work.submission)
    earned = [*_best(in_order, more), *_pace(in_order, more)]
    return [bonus for bonus in earned if bonus.cents]


def _best(finished: Sequence[FinishedWork], more: Json) -> Iterator[Bonus]:
    """Of every full block of examples, those who wrote most; of equals, who had them first."""
    size = more["best_every"]
    for block in range(len(finished) // size):
        some = finished[block * size : (block + 1) * size]
        counts = Counter(work.person for work in some)
        last = {work.person: work.submission for work in some}
        order = sorted(counts, key=lambda person: (-counts[person], last[person]))
        for place, person in enumerate(order[: more["best_workers"]], 1):
            reason = (
                f"Place {place} among examples {block * size + 1:,} to {(block + 1) * size:,}: "
                f"{counts[person]} of them"
            )
            yield Bonus(person, more["best_cents"], reason, f"best-{size}-{block + 1}-{place}")


def _pace(finished: Sequence[FinishedWork], more: Json) -> Iterator[Bonus]:
    """For every full block of a person's own examples that was written fast enough."""
    size = more["pace_every"]
    by_person: dict[int, list[FinishedWork]] = {}
    for work in finished:
        by_person.setdefault(work.person, []).append(work)
    for person in sorted(by_person):
        own = by_person[person]
        for block in range(len(own) // size):
            seconds = sum(work.seconds for work in own[block * size : (block + 1) * size])
            # Time that was not measured is no proof of pace.
            per_hour = size * HOUR / seconds if seconds > 0 else 0.0
            if per_hour >= more["pace_least_per_hour"]:
                reason = f"{per_hour:.1f} examples an hour over {size} examples"
                yield Bonus(person, more["pace_cents"], reason, f"pace-{size}-{person}-{block + 1}")
