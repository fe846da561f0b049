"""GapQA's tuple search (Khot et al. 2019, section 4.2) over a store of triples.

A triple is found when a stem of its head stands in the span and a stem of its tail in the choice,
or the reverse. Its score is the Jaccard overlap between its stems (head and tail) and those of
span and choice together. Ties go to the higher weight, then to head, relation and tail in
alphabetical order.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.array_folder import open_arrays
from lacuna.retrieve.knowledge.build_triples import IN_HEAD, IN_TAIL, KIND
from lacuna.retrieve.knowledge.stem_index import NamedArrays, PairQuery, StemPostings, open_strings
from lacuna.retrieve.knowledge.triple_rows import Triple

WORDNET = frozenset({"oewn", "wordnet/3.1", "wordnet/3.0"})
OMCS = frozenset({"cn100k", "cn82k", "cn4_divisi2", "conceptnet/4/en"})
"""Source names of two subsets that the paper compares: WordNet, and Open Mind Common Sense."""


class FoundTriple(NamedTuple):
    """A triple and how well it fits."""

    triple: Triple
    score: float


class Triples:
    """An open store; safe to use from several threads.

    >>> from lacuna.retrieve.knowledge import open_knowledge
    >>> open_knowledge().triples.search("metal", "steel spoon")[0].triple
    Triple(relation='MadeOf', head='spoon', tail='metal', weight=1.0, sources=('demo',))
    """

    def __init__(self, arrays: NamedArrays, meta: dict[str, Any]) -> None:
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
        query = PairQuery.look_up(self._postings, span, choice)
        numbers = query.in_both(len(self))
        if allowed is not None:
            numbers = numbers[allowed[self._arrays["sources"][numbers]]]
        shared = np.zeros(len(numbers), np.int32)
        of_span, of_choice = np.zeros(len(numbers), np.uint8), np.zeros(len(numbers), np.uint8)
        for stem, hit in query.hits.items():
            sides = hit.notes_on(numbers)
            shared += sides > 0
            if stem in query.span:
                of_span |= sides
            if stem in query.choice:
                of_choice |= sides
        forward = ((of_span & IN_HEAD) > 0) & ((of_choice & IN_TAIL) > 0)
        backward = ((of_span & IN_TAIL) > 0) & ((of_choice & IN_HEAD) > 0)
        numbers, shared = numbers[forward | backward], shared[forward | backward]
        together = self._stem_counts[numbers] + len(query.span | query.choice) - shared
        scores = shared / together
        best = np.lexsort((numbers, -self._weights[numbers], -scores))[:k]
        return [FoundTriple(self[int(numbers[i])], float(scores[i])) for i in best]

    def _allowed(self, sources: Set[str]) -> NDArray[np.bool_]:
        if not sources & self.sources:
            raise LacunaError(
                f"No triple comes from {', '.join(sorted(sources))}. "
                f"This store has {', '.join(sorted(self.sources))}."
            )
        return np.array([not sources.isdisjoint(names) for names in self._source_sets])
