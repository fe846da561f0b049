"""The waiting room: who waits for a partner, since when, and how long that takes these days."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from lacuna.collect.tasks.task import Json

REMEMBERED = 20
"""So many of the last waits tell how long the next one may take."""

TRIED_AGAIN = 10.0
"""Seconds after which two people who could not talk with each other are tried again."""


@dataclass(slots=True)
class Waiting:
    """Somebody who waits."""

    person: int
    since: float
    is_first: bool
    """Whether a partner left this person, who then need not queue again."""
    gone_since: float | None = None
    why_not: str = ""
    """Why the last that was tried came to nothing."""


class WaitingRoom:
    """Everybody who waits, in the order in which they get a partner.

    Who loses the connection keeps the place for a while, and gets no partner meanwhile.
    """

    def __init__(self, keeps_place: float) -> None:
        self._keeps_place = keeps_place
        self._waiting: dict[int, Waiting] = {}
        self._took: deque[float] = deque(maxlen=REMEMBERED)
        self._put_off: dict[frozenset[int], float] = {}

    def __contains__(self, person: int) -> bool:
        return person in self._waiting

    def enter(self, person: int, now: float, *, is_first: bool = False) -> None:
        """Begin to wait, or come back."""
        there = self._waiting.setdefault(person, Waiting(person, now, is_first))
        there.gone_since = None

    def lose(self, person: int, now: float) -> None:
        """Note that somebody's connection was lost."""
        if person in self._waiting:
            self._waiting[person].gone_since = now

    def leave(self, person: int) -> None:
        """Stop waiting."""
        self._waiting.pop(person, None)

    def paired(self, person: int, now: float) -> None:
        """Note that somebody has a partner."""
        found = self._waiting.pop(person, None)
        if found is not None:
            self._took.append(now - found.since)

    def forget_gone(self, now: float) -> None:
        """Give up places that nobody came back to."""
        for one in list(self._waiting.values()):
            if one.gone_since is not None and now - one.gone_since > self._keeps_place:
                del self._waiting[one.person]

    def here(self) -> list[Waiting]:
        """Who waits and is connected, first those who come first."""
        there = [one for one in self._waiting.values() if one.gone_since is None]
        return sorted(there, key=lambda one: (not one.is_first, one.since))

    def pairs(self, now: float) -> Iterator[tuple[int, int]]:
        """All pairs that may be tried now, those who wait longest first."""
        self._put_off = {pair: until for pair, until in self._put_off.items() if until > now}
        for one, other in combinations(self.here(), 2):
            if frozenset((one.person, other.person)) not in self._put_off:
                yield one.person, other.person

    def put_off(self, people: Sequence[int], why: str, now: float) -> None:
        """Try some people again later: now they cannot talk with each other."""
        self._put_off[frozenset(people)] = now + TRIED_AGAIN
        for person in people:
            if person in self._waiting:
                self._waiting[person].why_not = why

    def notices(self, now: float, *, talking: int, after: float) -> Iterator[tuple[int, Json]]:
        """What everybody who waits is told; ``after`` so many seconds a simulated partner comes."""
        here, estimate = self.here(), self.estimate()
        for ahead, one in enumerate(here):
            yield (
                one.person,
                {
                    "type": "waiting",
                    "ahead": ahead,
                    "here": len(here),
                    "why_not": one.why_not,
                    "talking": talking,
                    "waited_seconds": round(now - one.since),
                    "estimate_seconds": None if estimate is None else round(estimate),
                    "simulated_in_seconds": round(max(after - (now - one.since), 0))
                    if after
                    else None,
                },
            )

    def estimate(self) -> float | None:
        """How many seconds a wait takes, as the last ones did; None where nothing is known."""
        return median(self._took) if self._took else None
