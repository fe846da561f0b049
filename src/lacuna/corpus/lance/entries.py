"""The passages that searches of one generation have found, by the number of their row."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.tables import PASSAGES, PassageEntry, unpack_entry

if TYPE_CHECKING:
    from lacuna.corpus.lance.near_copy import NearCopy
    from lacuna.corpus.lance.snapshot import Snapshot

KEPT = 50_000
"""Passages that stay in memory, about a kilobyte each: fetching a hundred takes half of a search,
and a search over an object store one request less."""


class Entries:
    """Several threads may share them: at worst something is fetched twice."""

    def __init__(self, at: Snapshot) -> None:
        self._at = at
        self._lock = threading.Lock()
        self._kept: dict[int, PassageEntry] = {}
        self.documents: dict[str, int] = {}
        """The numbers of the documents that they stand in, by their titles."""
        self.near: NearCopy | None = None
        self._times = 0

    def of(self, rows: Sequence[int]) -> list[PassageEntry]:
        """The passages in some rows."""
        if self.near is not None:
            found = dict(zip(rows, self.near.of(rows), strict=True))
            self._note(found)
        else:
            kept = self._kept
            found = {row: entry for row in rows if (entry := kept.get(row)) is not None}
            if missing := sorted(row for row in rows if row not in found):
                entries = map(unpack_entry, self.column("entry", missing))
                fetched = dict(zip(missing, entries, strict=True))
                found |= fetched
                self._keep(fetched)
        return [found[row] for row in rows]

    def is_asked_often(self, times: int) -> bool:
        """True once, when this was called more often than so many times."""
        with self._lock:
            self._times += 1
            return self._times == times + 1

    def _keep(self, fetched: dict[int, PassageEntry]) -> None:
        with self._lock:
            if len(self._kept) + len(fetched) > KEPT:  # the older half goes
                self._kept = dict(islice(self._kept.items(), len(self._kept) // 2, None))
            self._kept.update(fetched)
        self._note(fetched)

    def _note(self, found: dict[int, PassageEntry]) -> None:
        if len(self.documents) > KEPT:
            self.documents = {}
        self.documents.update((entry.title, entry.document) for entry in found.values())

    def column(self, name: str, rows: Sequence[int]) -> list[Any]:
        """What one column of the table has in some rows, which ascend."""
        with telling_failures(self._at.address):
            # Lance's own numbers of rows are what a search gives; take() counts them otherwise.
            found = self._at.table(PASSAGES)._take_rows(list(rows), columns=[name])
        values: list[Any] = found[name].to_pylist()
        return values
