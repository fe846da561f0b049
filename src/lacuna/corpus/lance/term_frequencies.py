"""How many passages have a term, of one generation of a corpus."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.tables import TERMS, any_of

if TYPE_CHECKING:
    from lacuna.corpus.lance.snapshot import Snapshot

READ_WHOLE = 2_000_000
"""Terms of a table that is read once, some 15 bytes each: looking each up takes milliseconds."""


class TermFrequencies:
    """Looks terms up in the table of terms, which is in their order."""

    def __init__(self, at: Snapshot) -> None:
        self._at = at
        self._known: dict[str, int] = {}
        self._whole: tuple[Any, Any] | None = None
        self._lock = threading.Lock()

    def of(self, terms: Sequence[str]) -> list[int]:
        """0 for a term that no passage has."""
        known = self._known
        if new := [term for term in terms if term not in known]:
            known.update(zip(new, self._look_up(new), strict=True))
        return [known[term] for term in terms]

    def read(self) -> None:
        """Have the table in memory, if it is not too large for that."""
        with self._lock, telling_failures(self._at.address):
            if self._whole is None and TERMS in self._at.state.tables:
                table = self._at.table(TERMS)
                if table.count_rows() <= READ_WHOLE:
                    found = table.to_table(columns=["term", "passages"]).combine_chunks()
                    self._whole = found["term"].chunk(0), found["passages"].chunk(0)

    def some_term(self) -> str:
        """Any term that a passage has, if that is known without a look."""
        return "" if self._whole is None else str(self._whole[0][0].as_py())

    def _look_up(self, terms: Sequence[str]) -> list[int]:
        self.read()
        if self._whole is None:
            rows = self._at.rows(TERMS, ("term", "passages"), any_of("term", terms))
            found = dict(rows)
            return [found.get(term, 0) for term in terms]
        return [self._count(term, *self._whole) for term in terms]

    @staticmethod
    def _count(term: str, ordered: Any, passages: Any) -> int:
        place = bisect_left(range(len(ordered)), term, key=lambda number: ordered[number].as_py())
        if place == len(ordered) or ordered[place].as_py() != term:
            return 0
        count: int = passages[place].as_py()
        return count
