"""An inverted index in plain arrays: for each stem, the items that hold it and a note on each.

The arrays can be mapped from disk. Sorted strings stand in two of them and are found by halving.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from lacuna.text import content_stems

NamedArrays = dict[str, NDArray[Any]]


class StringTable:
    """Strings in the order of their UTF-8 bytes; a string's place in that order is its number."""

    def __init__(self, blob: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        # Views that give plain bytes and ints: reading single elements of an array is slow.
        self._blob = memoryview(cast(Any, blob))
        self._ends = memoryview(cast(Any, ends))

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> str:
        return self._bytes(number).decode()

    def find(self, text: str) -> int | None:
        """The number of a string, or None where the table does not hold it."""
        wanted = text.encode()
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._bytes(low) == wanted else None

    def _bytes(self, number: int) -> bytes:
        start = self._ends[number - 1] if number else 0
        return bytes(self._blob[start : self._ends[number]])


def in_order(texts: Iterable[str]) -> list[str]:
    """Distinct texts in the order that ``StringTable`` wants."""
    return sorted(set(texts), key=str.encode)


def string_arrays(name: str, texts: list[str]) -> NamedArrays:
    """The arrays of a table; the texts must be in order."""
    encoded = [text.encode() for text in texts]
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    blob = np.frombuffer(b"".join(encoded), np.uint8)
    return {f"{name}_blob": blob, f"{name}_ends": np.cumsum(sizes)}


def open_strings(name: str, arrays: NamedArrays) -> StringTable:
    """The table that ``string_arrays`` built under this name."""
    return StringTable(arrays[f"{name}_blob"], arrays[f"{name}_ends"])


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

    def __init__(self, arrays: NamedArrays) -> None:
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
) -> NamedArrays:
    """The arrays of an index, from merged occurrences."""
    return {
        **string_arrays("stem", stem_texts),
        "posting_ends": np.cumsum(np.bincount(stems, minlength=len(stem_texts))),
        "posting_items": items.astype(np.int32),
        "posting_notes": notes,
    }


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
        known = ((stem, postings.get(stem)) for stem in sorted(stems[0] | stems[1]))
        return cls(*stems, {stem: hit for stem, hit in known if hit})

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
