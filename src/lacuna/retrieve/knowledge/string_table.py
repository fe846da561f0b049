"""Many sorted strings in two arrays, so that they can be mapped from disk and found by halving."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


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


def string_arrays(name: str, texts: list[str]) -> Arrays:
    """The arrays of a table; the texts must be in order."""
    encoded = [text.encode() for text in texts]
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    blob = np.frombuffer(b"".join(encoded), np.uint8)
    return {f"{name}_blob": blob, f"{name}_ends": np.cumsum(sizes)}


def open_strings(name: str, arrays: Arrays) -> StringTable:
    """The table that ``string_arrays`` made under this name."""
    return StringTable(arrays[f"{name}_blob"], arrays[f"{name}_ends"])
