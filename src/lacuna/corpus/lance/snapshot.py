"""A corpus at an address as it was published once: nothing in it ever changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from lacuna.corpus.database import unpack
from lacuna.corpus.lance.entries import Entries
from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.opening import OpenTables
from lacuna.corpus.lance.state import State
from lacuna.corpus.lance.tables import (
    DOCUMENTS,
    PASSAGES,
    REDIRECTS,
    TERMS,
    Tables,
    any_of,
)
from lacuna.corpus.lance.term_frequencies import TermFrequencies
from lacuna.corpus.titles import closest, folded, is_valid

USED_AT_ONCE = (DOCUMENTS, PASSAGES, REDIRECTS, TERMS, "sources")
REMEMBERED = 50_000
"""Folded titles whose rows stay in memory, those looked up last."""
ASKED_AT_ONCE = 1000


class Named(NamedTuple):
    """What has a folded title: documents (number, title) and redirects (title, target)."""

    documents: list[tuple[int, str]]
    redirects: list[tuple[str, str]]


class Snapshot:
    """The tables of one generation, and what was looked up in them."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.state = state
        self.address = tables.address
        self._tables = tables
        self._open = OpenTables(tables, state, USED_AT_ONCE)
        self._named: OrderedDict[str, Named] = OrderedDict()
        self._roots: dict[int, bytes] | None = None
        self._lock = threading.Lock()
        self._is_warm = False
        self.frequencies = TermFrequencies(self)
        self.entries = Entries(self)

    def table(self, name: str) -> Any:
        """A table at its version."""
        return self._open[name]

    def wait(self) -> None:
        """Until the tables that every reader uses are open."""
        self._open.wait()

    def begin_warming(self) -> bool:
        """Whether nobody has asked for the parts that all need, before this call."""
        with self._lock:
            before, self._is_warm = self._is_warm, True
        return not before

    def rows(
        self, name: str, columns: Sequence[str], chosen: str | None = None, **options: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Rows of a table in the order they were added, a few at a time."""
        if name not in self.state.tables:
            return
        with telling_failures(self._tables.address):
            scanned = self.table(name).to_batches(
                columns=list(columns), filter=chosen, scan_in_order=True, **options
            )
            for batch in scanned:
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def resolve(self, title: str) -> tuple[int, str] | None:
        """The document that is meant: its number and its title (``Store.resolve``)."""
        if (found := self.entries.documents.get(title)) is not None:
            return found, title  # what has just this title goes before all else
        return resolve_named(title, lambda name: self.named([folded(name)])[folded(name)])

    def named(self, folds: Iterable[str]) -> dict[str, Named]:
        """What has each of these folded titles."""
        asked = list(dict.fromkeys(folds))
        with self._lock:
            known = {fold: self._named[fold] for fold in asked if fold in self._named}
        new = [fold for fold in asked if fold not in known]
        for start in range(0, len(new), ASKED_AT_ONCE):
            known |= self._look_up(new[start : start + ASKED_AT_ONCE])
        with self._lock:
            for fold in asked:
                self._named[fold] = known[fold]
                self._named.move_to_end(fold)
            while len(self._named) > REMEMBERED:
                self._named.popitem(last=False)
        return known

    def _look_up(self, folds: list[str]) -> dict[str, Named]:
        chosen = any_of("folded", folds)
        found = {fold: Named([], []) for fold in folds}
        with ThreadPoolExecutor(2) as pool:
            documents = pool.submit(
                lambda: list(self.rows(DOCUMENTS, ("folded", "id", "title"), chosen))
            )
            redirects = pool.submit(
                lambda: list(self.rows(REDIRECTS, ("folded", "title", "target"), chosen))
            )
            for fold, number, title in documents.result():
                found[fold].documents.append((number, title))
            for fold, title, target in redirects.result():
                found[fold].redirects.append((title, target))
        for named in found.values():
            named.documents.sort()
            named.redirects.sort()
        return found

    def root(self, source: int) -> bytes | str | None:
        """Where a source lies, as the database of an embedded store has it."""
        if self._roots is None:
            rows = self.rows("sources", ("id", "root", "is_text"))
            self._roots = {
                number: root.decode() if is_text else root for number, root, is_text in rows
            }
        return self._roots.get(source)

    def texts(self, numbers: Iterable[int]) -> dict[int, str]:
        """The texts of documents."""
        rows = self.rows(DOCUMENTS, ("id", "title", "body"), any_of("id", numbers))
        return {number: unpack(title, body).text for number, title, body in rows}


def resolve_named(title: str, named: Callable[[str], Named]) -> tuple[int, str] | None:
    """The document that a title means; ``named`` says what is called like it.

    The same title goes first, then a redirect of it, then what is written alike.
    """
    seen: set[str] = set()
    while title not in seen and is_valid(title):
        seen.add(title)
        documents, redirects = named(title)
        for document in documents:
            if document[1] == title:
                return document
        target = next((target for name, target in redirects if name == title), None)
        if target is None and documents:
            return documents[closest(title, [name for _, name in documents])]
        if target is None and redirects:
            target = redirects[closest(title, [name for name, _ in redirects])][1]
        if target is None:
            return None
        title = target
    return None
