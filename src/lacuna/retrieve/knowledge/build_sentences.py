"""Build the sentence search: read rows, leave out unfit sentences, index the rest."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from lacuna.errors import LacunaError
from lacuna.retrieve.bm25_score import Bm25Weights, idf, term_weight
from lacuna.retrieve.knowledge.array_folder import save_arrays
from lacuna.retrieve.knowledge.build_report import BuildReport, Progress
from lacuna.retrieve.knowledge.digested_lines import (
    Digest,
    DigestedLines,
    SentenceLines,
    digested,
    lines_of,
)
from lacuna.retrieve.knowledge.stem_index import (
    NamedArrays,
    in_order,
    merge_occurrences,
    posting_arrays,
    string_arrays,
)

KIND = "sentences"
WEIGHTS = Bm25Weights(k1=1.2, b=0.75)
"""The defaults of the search engine that the paper used."""


def digested_here(lines: Iterable[SentenceLines]) -> Iterator[DigestedLines]:
    """In this process."""
    return map(digested, lines)


def build_sentences(
    files: Sequence[Path],
    folder: Path,
    *,
    progress: Progress | None = None,
    digest: Digest = digested_here,
) -> BuildReport:
    """Build the search of ``Sentences.open`` from files with a source and a sentence a line.

    Sentences are numbered in alphabetical order, whatever the order of the rows. The same sentence
    from two sources is kept once, with the source that comes first in the alphabet.
    """
    report, kept = BuildReport(), _Kept()
    for part in digest(lines_of(files)):
        report.add(part.report)
        if progress:
            progress(report.rows)
        kept.add(part)
    if not kept.numbers:
        names = ", ".join(str(path) for path in files)
        raise LacunaError(
            f"{names} holds no sentence that can be used ({report}). "
            "Each line must have a source, a tab and a sentence."
        )
    sentences = in_order(kept.numbers)
    report.kept = len(sentences)
    report.merged = report.rows - report.kept - report.skipped.total()
    source_names = in_order(kept.sources)
    numbers = {name: number for number, name in enumerate(source_names)}
    places = np.array([kept.numbers[text] for text in sentences], np.int64)
    keys = np.array(kept.identities, np.uint64)[places]
    order = np.argsort(keys, kind="stable")
    arrays = {
        **string_arrays("sentence", sentences),
        **kept.stem_arrays(places),
        "sources": np.array([numbers[kept.sources[place]] for place in places], np.int32),
        "identities": keys[order],
        "identity_numbers": order.astype(np.int32),
    }
    save_arrays(folder, KIND, arrays, {"sources": source_names})
    return report


class _Kept:
    """All sentences, each once, in the order in which they came."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.sources: list[str] = []
        self.identities = array("Q")
        self._stems: dict[str, int] = {}
        self._occurrences, self._sizes = array("i"), array("i")

    def add(self, part: DigestedLines) -> None:
        stems = [self._stems.setdefault(stem, len(self._stems)) for stem in part.stems]
        start = 0
        rows = zip(part.sources.items(), part.identities, part.sizes, strict=True)
        for (sentence, source), identity, size in rows:
            known = self.numbers.setdefault(sentence, len(self.numbers))
            if known < len(self.sources):
                self.sources[known] = min(self.sources[known], source)
            else:
                self.sources.append(source)
                self.identities.append(identity)
                own = part.occurrences[start : start + size]
                self._occurrences.extend([stems[place] for place in own])
                self._sizes.append(size)
            start += size

    def stem_arrays(self, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> NamedArrays:
        """The index of the sentences when they stand in another order, by their places in this."""
        texts = in_order(self._stems)
        stem_places = np.empty(len(texts), np.int64)
        stem_places[[self._stems[text] for text in texts]] = np.arange(len(texts))
        ranks = np.empty(len(places), np.int64)
        ranks[places] = np.arange(len(places))
        sizes = np.array(self._sizes, np.int64)
        items = np.repeat(ranks, sizes)
        stem, item, times = merge_occurrences(
            stem_places[np.array(self._occurrences, np.int64)],
            items,
            np.ones(len(items), np.int64),
        )
        lengths = sizes[places]
        rarity = idf(len(places), np.bincount(stem, minlength=len(texts)))
        average = max(float(lengths.mean()), 1.0)
        # What each stem adds to the score of each sentence that holds it does not depend on a
        # query.
        weights = term_weight(times, lengths[item], average, WEIGHTS, idf=rarity[stem])
        return posting_arrays(texts, stem, item, weights.astype(np.float32))
