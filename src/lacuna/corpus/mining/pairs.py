"""Pairs of paragraphs to ask a question about (HotpotQA, section 2 and algorithm 1).

A bridge pair is a link from one article's first paragraph to an article b of a curated set. A
comparison pair is two entities of the same list.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from random import Random
from typing import TypeVar

from lacuna.corpus.mining.paragraphs import ResolveTitle, first_paragraph, other_articles
from lacuna.errors import LacunaError
from lacuna.types import Document

Item = TypeVar("Item")
BRIDGE_RATIO = 0.75
YES_NO_RATIO = 0.5
BLIND_TRIES = 20
"""Draws from a list before its unused pairs are counted out."""


class PairKind(StrEnum):
    """What a question about a pair has to do; the values are HotpotQA's."""

    BRIDGE = "bridge"
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two titles, and the question that is wanted about them.

    Of a bridge pair, ``second`` is the bridge. ``group`` is the list that a comparison pair is
    from. ``yes_no`` asks for a comparison question with the answer yes or no.
    """

    kind: PairKind
    first: str
    second: str
    yes_no: bool = False
    group: str = ""


def bridge_edges(
    documents: Iterable[Document], curated: Container[str], resolve: ResolveTitle | None = None
) -> dict[str, tuple[str, ...]]:
    """For each curated title, the articles whose first paragraph links to it."""
    sources: dict[str, set[str]] = {}
    for document in documents:
        for target in other_articles(first_paragraph(document), resolve):
            if target in curated:
                sources.setdefault(target, set()).add(document.title)
    return {target: tuple(sorted(sources[target])) for target in sorted(sources)}


def comparison_lists(
    lists: Mapping[str, Iterable[str]], resolve: ResolveTitle
) -> dict[str, tuple[str, ...]]:
    """The lists with the entities that there are documents for; lists of fewer than two go."""
    known = {
        name: tuple(sorted({title for entity in lists[name] if (title := resolve(entity))}))
        for name in sorted(lists)
    }
    return {name: titles for name, titles in known.items() if len(titles) >= 2}


def sample_pairs(
    edges: Mapping[str, Sequence[str]], lists: Mapping[str, Sequence[str]], seed: int
) -> Iterator[Pair]:
    """Draw pairs as algorithm 1 does, each at most once; the same seed gives the same pairs.

    Three of four draws are bridge pairs: a bridge b, each as likely as the others, then one of
    its edges. The rest come from a list, drawn by its size, and half of these are to be asked a
    yes/no question. It ends when the kind that is drawn has no pair left, for going on would
    change the ratio. With no edges at all, or no lists at all, every pair is of the other kind.
    """
    bridges, comparisons = _Bridges(edges), _Comparisons(lists)
    if bridges.empty and comparisons.empty:
        raise LacunaError(
            "There is nothing to draw pairs from: no first paragraph links to a curated title, "
            "and no list has two entities. Check that titles are written as the documents have "
            "them."
        )
    ratio = 0.0 if bridges.empty else 1.0 if comparisons.empty else BRIDGE_RATIO
    return _draws(bridges, comparisons, ratio, Random(seed))


def _draws(
    bridges: _Bridges, comparisons: _Comparisons, ratio: float, random: Random
) -> Iterator[Pair]:
    while True:
        source = bridges if random.random() < ratio else comparisons
        pair = source.draw(random)
        if pair is None:
            return
        yield pair


class _Bridges:
    def __init__(self, edges: Mapping[str, Sequence[str]]) -> None:
        unused = {b: sorted(set(edges[b]) - {b}) for b in sorted(edges)}
        self._unused = {b: sources for b, sources in unused.items() if sources}
        self._titles = list(self._unused)

    @property
    def empty(self) -> bool:
        return not self._titles

    def draw(self, random: Random) -> Pair | None:
        if self.empty:
            return None
        place = pick_index(random, len(self._titles))
        bridge = self._titles[place]
        sources = self._unused[bridge]
        source = sources.pop(pick_index(random, len(sources)))
        if not sources:
            # The last title takes the free place: taking one out of the middle is slow.
            self._titles[place] = self._titles[-1]
            self._titles.pop()
        return Pair(PairKind.BRIDGE, source, bridge)


class _Comparisons:
    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        unique = {name: sorted(set(lists[name])) for name in sorted(lists)}
        self._lists = {name: titles for name, titles in unique.items() if len(titles) >= 2}
        self._used: set[frozenset[str]] = set()

    @property
    def empty(self) -> bool:
        return not self._lists

    def draw(self, random: Random) -> Pair | None:
        while not self.empty:
            name = self._by_size(random)
            two = self._unused_two(random, self._lists[name])
            if two:
                self._used.add(frozenset(two))
                yes_no = random.random() < YES_NO_RATIO
                return Pair(PairKind.COMPARISON, *two, yes_no=yes_no, group=name)
            del self._lists[name]
        return None

    def _by_size(self, random: Random) -> str:
        place = pick_index(random, sum(map(len, self._lists.values())))
        for name, titles in self._lists.items():
            if place < len(titles):
                return name
            place -= len(titles)
        raise AssertionError("the sizes add up to more than every place")

    def _unused_two(self, random: Random, titles: list[str]) -> tuple[str, str] | None:
        for _ in range(BLIND_TRIES):
            first, second = pick(random, titles), pick(random, titles)
            if first != second and frozenset((first, second)) not in self._used:
                return first, second
        left = [two for two in combinations(titles, 2) if frozenset(two) not in self._used]
        return pick(random, left) if left else None


# Only random() is promised to give the same numbers for a seed in every version of Python, so the
# choices below are made with it alone.


def pick(random: Random, items: Sequence[Item]) -> Item:
    """One item, each as likely as the others."""
    return items[pick_index(random, len(items))]


def pick_index(random: Random, size: int) -> int:
    """A number from 0 up to ``size``, without it."""
    return int(random.random() * size)


def shuffled(random: Random, items: Sequence[Item]) -> list[Item]:
    """All items in random order."""
    return sorted(items, key=lambda _: random.random())
