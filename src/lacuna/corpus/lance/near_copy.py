"""All passages of a generation on the disk of the machine that searches them often.

Wherever the tables lie, reading the lists of rare words and the hundred candidates of a search one
by one takes longer than searching. A process that goes on searching takes the text index into its
memory and copies the passages to its cache folder, in the background.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from lacuna.corpus.arrays import Arrays, cached_arrays
from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.tables import PASSAGES, PassageEntry, unpack_entry
from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from lacuna.corpus.lance.lance_store import LanceStore
    from lacuna.corpus.lance.snapshot import Snapshot

AFTER = 100
"""Searches of one generation, after which a process makes a copy: asking once is not worth it."""
LARGEST = 2_000_000
"""Passages, with half a kilobyte of disk and of memory each, or less; of a larger corpus all is
fetched as it is needed."""
THREAD = "near-copy"


class NearCopy:
    """Passages by Lance's numbers of their rows."""

    def __init__(self, arrays: Arrays) -> None:
        self._rows, self._places = arrays["rows"], arrays["places"]
        self._starts, self._written = arrays["starts"], arrays["written"]

    def of(self, rows: Sequence[int]) -> list[PassageEntry]:
        """The passages in some rows."""
        places = self._places[np.searchsorted(self._rows, np.array(rows, np.uint64))]
        starts, ends = self._starts[places].tolist(), self._starts[places + 1].tolist()
        written = self._written
        return [
            unpack_entry(written[start:end].tobytes())
            for start, end in zip(starts, ends, strict=True)
        ]


def copy_near(store: LanceStore, at: Snapshot) -> None:
    """Begin to copy, where that is worth it and nobody has begun."""
    if at.entries.is_asked_often(AFTER) and at.state.counts["passages"] <= LARGEST:
        threading.Thread(target=_copy, args=(store, at), name=THREAD).start()


def _copy(store: LanceStore, at: Snapshot) -> None:
    # A full disk or a store that fails: passages are fetched as before.
    with suppress(LacunaError, OSError):
        with telling_failures(at.address):
            table = at.table(PASSAGES)
            for index in table.list_indices():
                if index["fields"] == ["words"]:
                    table.prewarm_index(index["name"])
        arrays = cached_arrays(
            store.derived,
            PASSAGES,
            at.state.generation,
            lambda _: _read(at),
            state=at.state.token,
        )
        at.entries.near = NearCopy(arrays)


def _read(at: Snapshot) -> Arrays:
    rows, sizes, written = [], [], []
    with telling_failures(at.address):
        batches = at.table(PASSAGES).to_batches(columns=["entry"], with_row_id=True)
        for batch in batches:
            if not threading.main_thread().is_alive():
                raise LacunaError("The program ends.")
            entries = batch["entry"]
            _, offsets, data = entries.buffers()
            ends = np.frombuffer(offsets, np.int64)[entries.offset :][: len(entries) + 1]
            rows.append(batch["_rowid"].to_numpy())
            sizes.append(np.diff(ends))
            written.append(np.frombuffer(data, np.uint8)[ends[0] : ends[-1]])
    every = np.concatenate(rows)
    places = np.argsort(every)
    return {
        "rows": every[places],
        "places": places,
        "starts": np.concatenate(([0], np.cumsum(np.concatenate(sizes)))),
        "written": np.concatenate(written),
    }
