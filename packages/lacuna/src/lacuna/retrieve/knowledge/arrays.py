"""Folders of arrays that are there whole or not at all, and inverted indexes in them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from lacuna.corpus.graph import map_array
from lacuna.errors import LacunaError
from lacuna.files.checksums import NAME as SUMS
from lacuna.files.checksums import damaged_files, remove_checksums, write_checksums
from lacuna.files.writing import replace_text
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


# A folder of arrays that is there whole or not at all, and opens without being read.
#
# ``meta.json`` names the subfolder with the arrays. A new build goes into a subfolder of its own,
# and the last step replaces ``meta.json``: a crash before that leaves the old build as it was.
# Build into a folder from one process at a time. ``checksums.json`` has the checksums of all of
# it.


META = "meta.json"
PREFIX = "arrays-"
VERSION = 1
VERIFIED = 256 << 20
"""Bytes that are read through on opening, of the smaller arrays first."""


def save_arrays(folder: Path, kind: str, arrays: NamedArrays, meta: dict[str, Any]) -> None:
    """Write a build and make it the folder's current one."""
    refuse_foreign(folder, kind)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
    except OSError as error:
        raise LacunaError(
            f"{folder} cannot be written: {error.strerror}. Choose a folder that you may write to."
        ) from error
    try:
        part.chmod(0o755)
        for name, array in arrays.items():
            with (part / f"{name}.npy").open("wb") as out:
                np.save(out, array, allow_pickle=False)
                out.flush()
                os.fsync(out.fileno())
        head = {"kind": kind, "version": VERSION, "arrays": part.name, "names": sorted(arrays)}
        remove_checksums(folder)
        with replace_text(folder / META) as text:
            json.dump({**head, "meta": meta}, text, ensure_ascii=False)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise LacunaError(
            f"{folder} was not written: {error.strerror or error}. What it held before is kept."
        ) from error
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    with suppress(LacunaError):  # the disk may be full; it can be read without them
        write_checksums(folder, [META, *(f"{part.name}/{name}.npy" for name in arrays)])
    for old in folder.glob(f"{PREFIX}*"):
        if old != part:
            shutil.rmtree(old, ignore_errors=True)


def open_arrays(folder: Path, kind: str) -> tuple[NamedArrays, dict[str, Any]]:
    """Map the current build of a folder into memory; one that is damaged is refused."""
    if hit := damaged_files(folder, VERIFIED):
        raise LacunaError(
            f"{folder} is damaged: {', '.join(hit)} is not as it was written. Build it again."
        )
    head = _head(folder)
    if head is None:
        raise LacunaError(f"{folder} holds no {kind}. Build them there first.")
    if head.get("kind") != kind:
        raise LacunaError(f"{folder} holds {head.get('kind')}, not {kind}. Give the other folder.")
    if head.get("version") != VERSION:
        raise LacunaError(f"{folder} was built by another version of Lacuna. Build it again.")
    try:
        return {name: _map(folder / head["arrays"], name) for name in head["names"]}, head["meta"]
    except (OSError, ValueError, KeyError) as error:
        if _head(folder) != head:  # another build took its place just now
            return open_arrays(folder, kind)
        raise LacunaError(f"{folder} is damaged ({error}). Build it again.") from error


def _map(folder: Path, name: str) -> np.ndarray[Any, Any]:
    # A plain view: np.memmap is slow to slice.
    return map_array(folder / f"{name}.npy").view(np.ndarray)


def _head(folder: Path) -> dict[str, Any] | None:
    try:
        head = json.loads((folder / META).read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise LacunaError(f"{folder / META} cannot be read ({error}). Build it again.") from error
    return head if isinstance(head, dict) else {}


def refuse_foreign(folder: Path, kind: str) -> None:
    """Never clear out or mix with files of another kind."""
    if folder.is_file():
        raise LacunaError(f"{folder} is a file; give the name of a folder to build in.")
    if (head := _head(folder)) is not None and head.get("kind") != kind:
        raise LacunaError(
            f"{folder} holds {head.get('kind')}, not {kind}. Give a new or empty folder."
        )
    if folder.is_dir():
        ours = (PREFIX, META, SUMS, ".")
        others = [entry.name for entry in folder.iterdir() if not entry.name.startswith(ours)]
        if others:
            raise LacunaError(
                f"{folder} holds other files ({sorted(others)[0]}). Give a new or empty folder."
            )
