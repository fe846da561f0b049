"""A span and a choice looked up together in an index of stems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lacuna.retrieve.knowledge.stem_postings import Postings, StemPostings
from lacuna.text import content_stems


@dataclass(frozen=True, slots=True)
class PairQuery:
    """The stems of both, and the postings of those that the index has, in alphabetical order.

    The order matters: sums of floats, and so ties, must not depend on how a set is walked through.
    """

    span: frozenset[str]
    choice: frozenset[str]
    hits: dict[str, Postings]

    @classmethod
    def look_up(cls, postings: StemPostings, span: str, choice: str) -> PairQuery:
        """Look up the two phrases."""
        stems = frozenset(content_stems(span)), frozenset(content_stems(choice))
        found = ((stem, postings.get(stem)) for stem in sorted(stems[0] | stems[1]))
        return cls(*stems, {stem: hit for stem, hit in found if hit})

    def in_both(self, size: int) -> NDArray[np.int32]:
        """Of ``size`` items, those that hold a stem of both phrases, in rising order."""
        rarer, other = sorted((self._items(self.span), self._items(self.choice)), key=_total)
        if not rarer:
            return np.empty(0, np.int32)
        # A mark for each item beats intersecting: it takes no sorting before few are left.
        marked = np.zeros(size, bool)
        for items in other:
            marked[items] = True
        return np.unique(np.concatenate([items[marked[items]] for items in rarer]))

    def _items(self, stems: frozenset[str]) -> list[NDArray[np.int32]]:
        return [hit.items for stem, hit in self.hits.items() if stem in stems]


def _total(items: list[NDArray[np.int32]]) -> int:
    return sum(map(len, items))
