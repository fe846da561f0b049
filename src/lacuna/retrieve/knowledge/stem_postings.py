"""An inverted index in plain arrays: for each stem, the items that hold it and a note on each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.retrieve.knowledge.string_table import Arrays, open_strings, string_arrays


class Postings(NamedTuple):
    """The items that hold a stem, in rising order, and one note above zero for each of them."""

    items: NDArray[np.int32]
    notes: NDArray[Any]

    def notes_on(self, items: NDArray[np.int32]) -> NDArray[Any]:
        """The notes on these items; zero on those that do not hold the stem."""
        place = np.searchsorted(self.items, items)
        place[place == len(self.items)] = 0
        return np.where(self.items[place] == items, self.notes[place], self.notes.dtype.type(0))


class StemPostings:
    """Looks stems up; the arrays may be mapped from disk."""

    def __init__(self, arrays: Arrays) -> None:
        self._stems = open_strings("stem", arrays)
        self._ends = arrays["posting_ends"]
        self._items = arrays["posting_items"]
        self._notes = arrays["posting_notes"]

    def get(self, stem: str) -> Postings | None:
        """The postings of a stem, or None where no item holds it."""
        number = self._stems.find(stem)
        if number is None:
            return None
        start = int(self._ends[number - 1]) if number else 0
        end = int(self._ends[number])
        return Postings(self._items[start:end], self._notes[start:end])


def merge_occurrences(
    stems: NDArray[np.int64], items: NDArray[np.int64], notes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Sort occurrences by stem, then item; notes of the same stem in the same item are added."""
    if not len(stems):
        return stems, items, notes
    keys = stems * (int(items.max()) + 1) + items
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return stems[order][firsts], items[order][firsts], np.add.reduceat(notes[order], firsts)


def posting_arrays(
    stem_texts: list[str],
    stems: NDArray[np.int64],
    items: NDArray[np.int64],
    notes: NDArray[Any],
) -> Arrays:
    """The arrays of an index, from merged occurrences."""
    return {
        **string_arrays("stem", stem_texts),
        "posting_ends": np.cumsum(np.bincount(stems, minlength=len(stem_texts))),
        "posting_items": items.astype(np.int32),
        "posting_notes": notes,
    }
