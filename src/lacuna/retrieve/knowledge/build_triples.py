"""Build the triple store: read rows, give every phrase a number, index its stems, write arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lacuna.corpus.source_item import Skipped
from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.array_folder import save_arrays
from lacuna.retrieve.knowledge.build_report import BuildReport, Progress
from lacuna.retrieve.knowledge.stem_index import (
    NamedArrays,
    in_order,
    merge_occurrences,
    posting_arrays,
    string_arrays,
)
from lacuna.retrieve.knowledge.triple_rows import Triple, triple_rows
from lacuna.text import content_stems

KIND = "triples"
IN_HEAD, IN_TAIL = 1, 2
"""The notes of the index: where in a triple a stem stands; their sum means both."""

Ints = NDArray[np.int64]


def build_triples(
    files: Sequence[Path], folder: Path, *, progress: Progress | None = None
) -> BuildReport:
    """Build the store of ``Triples.open`` from ConceptNet's files.

    Rows that say the same (relation, head and tail) become one triple with the highest weight and
    all the sources. Triples are numbered by head, relation and tail, whatever the order of the
    rows, so that the same rows always give the same store and the same ties.
    """
    report = BuildReport()
    rows = _Rows()
    for path in files:
        for row in triple_rows(path):
            report.seen(progress)
            if isinstance(row, Skipped):
                report.skip(row)
            else:
                rows.add(row)
    if not len(rows.weights):
        names = ", ".join(str(path) for path in files)
        raise LacunaError(f"{names} holds no triples ({report}). Is it ConceptNet's file?")
    phrases, relations, triples = rows.merged()
    report.kept = len(triples["weights"])
    report.merged = len(rows.weights) - report.kept
    arrays = {
        **string_arrays("phrase", phrases),
        **triples,
        **_stem_arrays(phrases, triples["heads"], triples["tails"]),
    }
    meta = {"relations": relations, "source_sets": [list(names) for names in rows.source_sets]}
    save_arrays(folder, KIND, arrays, meta)
    return report


class _Rows:
    """Rows as numbers, which take a tenth of the memory that they would take as objects."""

    def __init__(self) -> None:
        self.phrases: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.source_sets: dict[tuple[str, ...], int] = {}
        self.weights = array("d")
        self._columns = array("i"), array("i"), array("i"), array("i")

    def add(self, row: Triple) -> None:
        heads, relations, tails, sources = self._columns
        heads.append(_number(self.phrases, row.head))
        relations.append(_number(self.relations, row.relation))
        tails.append(_number(self.phrases, row.tail))
        sources.append(_number(self.source_sets, row.sources))
        self.weights.append(row.weight)

    def merged(self) -> tuple[list[str], list[str], NamedArrays]:
        """Phrases and relations in order, and the triples that refer to them, each once."""
        phrases, relations = in_order(self.phrases), in_order(self.relations)
        head, relation, tail, sources = (np.array(column, np.int64) for column in self._columns)
        place = _places(self.phrases, phrases)
        head, tail = place[head], place[tail]
        relation = _places(self.relations, relations)[relation]
        order = np.lexsort((tail, relation, head))
        head, relation, tail = head[order], relation[order], tail[order]
        same = (head[1:] == head[:-1]) & (relation[1:] == relation[:-1]) & (tail[1:] == tail[:-1])
        firsts = np.flatnonzero(np.concatenate(([True], ~same)))
        weights = np.array(self.weights)[order]
        return (
            phrases,
            relations,
            {
                "heads": head[firsts].astype(np.int32),
                "relations": relation[firsts].astype(np.int16),
                "tails": tail[firsts].astype(np.int32),
                "weights": np.maximum.reduceat(weights, firsts),
                "sources": self._joined_sources(sources[order], firsts),
            },
        )

    def _joined_sources(self, sources: Ints, firsts: Ints) -> NDArray[np.int32]:
        joined = sources[firsts]
        names = list(self.source_sets)
        sizes = np.diff(np.append(firsts, len(sources)))
        for group in np.flatnonzero(sizes > 1).tolist():
            start = int(firsts[group])
            together = {name for s in sources[start : start + sizes[group]] for name in names[s]}
            joined[group] = _number(self.source_sets, tuple(sorted(together)))
        return joined.astype(np.int32)


def _number(numbers: dict[Any, int], key: Any) -> int:
    return numbers.setdefault(key, len(numbers))


def _places(numbers: dict[str, int], ordered: Iterable[str]) -> Ints:
    """Where each number's text stands in the ordered list."""
    places = np.empty(len(numbers), np.int64)
    places[[numbers[text] for text in ordered]] = np.arange(len(numbers))
    return places


def _stem_arrays(phrases: list[str], heads: Ints, tails: Ints) -> NamedArrays:
    numbers: dict[str, int] = {}
    flat = array("i")  # the stems of all phrases, one phrase after the other
    ends = array("q")
    for phrase in phrases:
        flat.extend(sorted({_number(numbers, stem) for stem in content_stems(phrase)}))
        ends.append(len(flat))
    stems = in_order(numbers)
    flat_stems = _places(numbers, stems)[np.array(flat, np.int64)]
    triples: list[Ints] = []
    occurrences: list[Ints] = []
    for column in (heads, tails):
        triple, position = _expand(column, np.array(ends, np.int64))
        triples.append(triple)
        occurrences.append(flat_stems[position])
    sides = np.repeat([IN_HEAD, IN_TAIL], [len(triples[0]), len(triples[1])])
    stem, item, side = merge_occurrences(
        np.concatenate(occurrences), np.concatenate(triples), sides
    )
    return {
        **posting_arrays(stems, stem, item, side.astype(np.uint8)),
        "stem_counts": np.bincount(item, minlength=len(heads)).astype(np.int32),
    }


def _expand(column: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """For each triple, its number once for every stem of its phrase, and where that stem stands."""
    starts = np.concatenate(([0], ends[:-1]))
    sizes = (ends - starts)[column]
    triple = np.repeat(np.arange(len(column)), sizes)
    offset = np.arange(len(triple)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return triple, np.repeat(starts[column], sizes) + offset
