"""Candidate pairs of paragraphs, drawn one at a time as algorithm 1 does.

Unlike ``corpus.mining.sample_pairs``, which draws from an edge list of its own, this goes by the
store's link graph, so that a draw costs the same however large the corpus is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import combinations
from random import Random
from typing import Protocol

from lacuna.corpus.mining.pairs import BLIND_TRIES, Pair, PairKind, pick, pick_index, shuffled
from lacuna.corpus.store import Store

IsFree = Callable[[Pair], bool]


def pair_key(pair: Pair) -> str:
    """The key of a pair's item: a pair that is compared has no first and second."""
    two = [pair.first, pair.second]
    names = "\n".join(sorted(two) if pair.kind is PairKind.COMPARISON else two)
    return f"{pair.kind}-{blake2b(names.encode(), digest_size=12).hexdigest()}"


class PairSource(Protocol):
    """What pairs are drawn from."""

    def draw(self, random: Random, is_free: IsFree) -> Pair | None:
        """A pair that is free; None if there is none."""
        ...


class BridgePairs:
    """Links from first paragraphs to curated titles."""

    def __init__(self, corpus: Store, titles: Sequence[str]) -> None:
        self._graph = corpus.graph()
        self._titles = [title for title in dict.fromkeys(titles) if self._sources(title)]

    @property
    def empty(self) -> bool:
        """Whether there is not a single pair."""
        return not self._titles

    def draw(self, random: Random, is_free: IsFree) -> Pair | None:
        """A bridge, each as likely as the others, then one of its links; None if all are taken."""
        for _ in range(BLIND_TRIES if self._titles else 0):
            bridge = pick(random, self._titles)
            pair = Pair(PairKind.BRIDGE, pick(random, self._sources(bridge)), bridge)
            if is_free(pair):
                return pair
        return next(filter(is_free, self._all(random)), None)

    def _all(self, random: Random) -> Iterator[Pair]:
        for bridge in shuffled(random, self._titles):
            for source in shuffled(random, self._sources(bridge)):
                yield Pair(PairKind.BRIDGE, source, bridge)

    def _sources(self, bridge: str) -> list[str]:
        return [source for source in self._graph.in_links(bridge, lead=True) if source != bridge]


class ComparisonPairs:
    """Two entities of the same list."""

    def __init__(self, lists: Mapping[str, Sequence[str]], yes_no_ratio: float) -> None:
        self._yes_no_ratio = yes_no_ratio
        self._lists = {name: titles for name, titles in lists.items() if len(titles) >= 2}

    @property
    def empty(self) -> bool:
        """Whether there is not a single pair."""
        return not self._lists

    def draw(self, random: Random, is_free: IsFree) -> Pair | None:
        """A list by its size, then two of its entities; None if all pairs are taken."""
        yes_no = random.random() < self._yes_no_ratio
        for _ in range(BLIND_TRIES if self._lists else 0):
            name = self._by_size(random)
            first, second = pick(random, self._lists[name]), pick(random, self._lists[name])
            pair = Pair(PairKind.COMPARISON, first, second, yes_no, name)
            if first != second and is_free(pair):
                return pair
        return next(filter(is_free, self._all(random, yes_no)), None)

    def _by_size(self, random: Random) -> str:
        place = pick_index(random, sum(map(len, self._lists.values())))
        for name, titles in self._lists.items():
            if place < len(titles):
                return name
            place -= len(titles)
        raise AssertionError("the sizes add up to more than every place")

    def _all(self, random: Random, yes_no: bool) -> Iterator[Pair]:
        for name in shuffled(random, list(self._lists)):
            for first, second in combinations(shuffled(random, self._lists[name]), 2):
                yield Pair(PairKind.COMPARISON, first, second, yes_no, name)


def draw_pair(
    bridges: BridgePairs,
    comparisons: ComparisonPairs,
    bridge_ratio: float,
    random: Random,
    is_free: IsFree,
) -> Pair | None:
    """One pair by algorithm 1; the other kind where the kind that was drawn has none left."""
    wants_bridge = random.random() < bridge_ratio
    first, second = (bridges, comparisons) if wants_bridge else (comparisons, bridges)
    return first.draw(random, is_free) or second.draw(random, is_free)
