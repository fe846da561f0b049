"""GapQA's tuple search (Khot et al. 2019, section 4.2) over a store of triples.

A triple is found when a stem of its head stands in the span and a stem of its tail in the choice,
or the reverse. Its score is the Jaccard overlap between its stems (head and tail) and those of
span and choice together. Ties go to the higher weight, then to head, relation and tail in
alphabetical order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.find.knowledge.array_folder import open_arrays
from lacuna.find.knowledge.build_triples import IN_HEAD, IN_TAIL, KIND
from lacuna.find.knowledge.stem_postings import Postings, StemPostings
from lacuna.find.knowledge.stems import content_stems
from lacuna.find.knowledge.string_table import Arrays, open_strings
from lacuna.find.knowledge.triple_rows import Triple

WORDNET = frozenset({"oewn", "wordnet/3.1", "wordnet/3.0"})
OMCS = frozenset({"cn100k", "cn82k", "cn4_divisi2", "conceptnet/4/en"})
"""Source names of two subsets that the paper compares: WordNet, and Open Mind Common Sense."""


class FoundTriple(NamedTuple):
    """A triple and how well it fits."""

    triple: Triple
    score: float


class Triples:
    """An open store; safe to use from several threads.

    >>> triples = Triples.open(folder)  # doctest: +SKIP
    >>> triples.search("metal", "belt buckle")[0].triple  # doctest: +SKIP
    Triple(relation='MadeOf', head='belt buckle', tail='metal', weight=1.0, sources=('cn56',))
    """

    def __init__(self, arrays: Arrays, meta: dict[str, Any]) -> None:
        self._arrays = arrays
        self._phrases = open_strings("phrase", arrays)
        self._postings = StemPostings(arrays)
        self._stem_counts = arrays["stem_counts"]
        self._weights = arrays["weights"]
        self._relations: list[str] = meta["relations"]
        self._source_sets = [tuple(names) for names in meta["source_sets"]]

    @classmethod
    def open(cls, folder: Path) -> Triples:
        """Open what ``build_triples`` wrote."""
        return cls(*open_arrays(folder, KIND))

    def __len__(self) -> int:
        return len(self._weights)

    def __getitem__(self, number: int) -> Triple:
        arrays = self._arrays
        return Triple(
            self._relations[arrays["relations"][number]],
            self._phrases[arrays["heads"][number]],
            self._phrases[arrays["tails"][number]],
            float(self._weights[number]),
            self._source_sets[arrays["sources"][number]],
        )

    def __iter__(self) -> Iterator[Triple]:
        return (self[number] for number in range(len(self)))

    @property
    def sources(self) -> frozenset[str]:
        """The names of all sources in the store."""
        return frozenset(name for names in self._source_sets for name in names)

    def search(
        self, span: str, choice: str, k: int = 5, sources: Set[str] | None = None
    ) -> list[FoundTriple]:
        """The k triples that best connect the two, best first.

        ``sources`` keeps to triples that at least one of the named sources has.
        """
        allowed = None if sources is None else self._allowed(sources)
        span_stems, choice_stems = set(content_stems(span)), set(content_stems(choice))
        # In order, so that nothing depends on how a set is walked through.
        wanted = sorted(span_stems | choice_stems)
        found = {stem: hit for stem in wanted if (hit := self._postings.get(stem))}
        span_hits = [found[stem] for stem in wanted if stem in found and stem in span_stems]
        choice_hits = [found[stem] for stem in wanted if stem in found and stem in choice_stems]
        if not span_hits or not choice_hits:
            return []
        numbers = self._connecting(span_hits, choice_hits)
        if allowed is not None:
            numbers = numbers[allowed[self._arrays["sources"][numbers]]]
        shared = self._count(found.values())[numbers]
        scores = shared / (self._stem_counts[numbers] + len(wanted) - shared)
        best = np.lexsort((numbers, -self._weights[numbers], -scores))[:k]
        return [FoundTriple(self[int(numbers[i])], float(scores[i])) for i in best]

    def _connecting(self, span: list[Postings], choice: list[Postings]) -> NDArray[np.int32]:
        """The triples with the span on one side and the choice on the other."""
        span_sides, choice_sides = self._sides(span), self._sides(choice)
        # Whatever connects the two holds a stem of the choice, so look at those triples alone.
        numbers = np.concatenate([hit.items for hit in choice])
        one, other = span_sides[numbers], choice_sides[numbers]
        forward = (one & IN_HEAD).astype(bool) & (other & IN_TAIL).astype(bool)
        backward = (one & IN_TAIL).astype(bool) & (other & IN_HEAD).astype(bool)
        return np.unique(numbers[forward | backward])

    def _sides(self, hits: list[Postings]) -> NDArray[np.uint8]:
        sides = np.zeros(len(self), np.uint8)
        for hit in hits:
            sides[hit.items] |= hit.notes
        return sides

    def _count(self, hits: Iterable[Postings]) -> NDArray[np.int32]:
        counts = np.zeros(len(self), np.int32)
        for hit in hits:
            counts[hit.items] += 1
        return counts

    def _allowed(self, sources: Set[str]) -> NDArray[np.bool_]:
        if not sources & self.sources:
            raise LacunaError(
                f"No triple comes from {', '.join(sorted(sources))}. "
                f"This store has {', '.join(sorted(self.sources))}."
            )
        return np.array([not sources.isdisjoint(names) for names in self._source_sets])
