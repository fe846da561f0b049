"""GapQA's text search (Khot et al. 2019, appendix D) over single sentences.

A sentence is found when it holds both the span and the choice, by stems; BM25 over the stems of
both ranks what is found, and ties go by the alphabet. The index is the same kind of plain arrays
as that of the triples: with two or three stems a query and both sides required, intersecting
arrays is fast, the ranking is the same on every run, and no search engine is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.array_folder import open_arrays
from lacuna.retrieve.knowledge.build_sentences import KIND
from lacuna.retrieve.knowledge.digested_lines import identity
from lacuna.retrieve.knowledge.stem_index import NamedArrays, PairQuery, StemPostings, open_strings


class FoundSentence(NamedTuple):
    """A sentence, where it is from, and its score."""

    text: str
    source: str
    score: float


class Sentences:
    """An open index; safe to use from several threads."""

    def __init__(
        self, arrays: NamedArrays, meta: dict[str, Any], hidden: NDArray[np.bool_] | None = None
    ) -> None:
        self._arrays, self._meta = arrays, meta
        self._texts = open_strings("sentence", arrays)
        self._postings = StemPostings(arrays)
        self._hidden = np.zeros(len(self._texts), bool) if hidden is None else hidden

    @classmethod
    def open(cls, folder: Path) -> Sentences:
        """Open what ``build_sentences`` wrote."""
        return cls(*open_arrays(folder, KIND))

    def __len__(self) -> int:
        """How many sentences can be found."""
        return len(self._texts) - int(self._hidden.sum())

    @property
    def sources(self) -> frozenset[str]:
        """The names of all sources in the index."""
        return frozenset(self._meta["sources"])

    def without(self, texts: Iterable[str] = (), sources: Set[str] = frozenset()) -> Sentences:
        """The same index with sentences left out, such as core facts that must stay hidden.

        Case, punctuation, articles and word endings make no difference to what is left out.
        ``sources`` leaves out all that is from the named sources.
        """
        if unknown := sources - self.sources:
            raise LacunaError(
                f"No sentence comes from {', '.join(sorted(unknown))}. "
                f"This index has {', '.join(sorted(self.sources))}."
            )
        hidden = np.isin(
            self._arrays["sources"],
            [number for number, name in enumerate(self._meta["sources"]) if name in sources],
        )
        identities = self._arrays["identities"]
        for wanted in {np.uint64(identity(text)) for text in texts}:
            start = np.searchsorted(identities, wanted, "left")
            end = np.searchsorted(identities, wanted, "right")
            hidden[self._arrays["identity_numbers"][start:end]] = True
        return Sentences(self._arrays, self._meta, self._hidden | hidden)

    def search(
        self, span: str, choice: str, k: int = 5, *, every_word: bool = False
    ) -> list[FoundSentence]:
        """The k best sentences with a word of the span and a word of the choice, best first.

        ``every_word`` asks for all words of both. Stop words never count.
        """
        query = PairQuery.look_up(self._postings, span, choice)
        numbers = query.in_both(len(self._texts))
        numbers = numbers[~self._hidden[numbers]]
        scores = np.zeros(len(numbers))
        held = np.zeros(len(numbers), np.int32)
        for hit in query.hits.values():
            weights = hit.notes_on(numbers)
            scores += weights
            held += weights > 0
        if every_word:
            fit = held == len(query.span | query.choice)
            numbers, scores = numbers[fit], scores[fit]
        best = np.lexsort((numbers, -scores))[:k]
        return [self._scored(int(numbers[i]), float(scores[i])) for i in best]

    def _scored(self, number: int, score: float) -> FoundSentence:
        source = self._meta["sources"][self._arrays["sources"][number]]
        return FoundSentence(self._texts[number], source, score)
