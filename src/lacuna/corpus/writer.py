"""Adding to a store, replacing and removing, so that a crash loses nothing that was committed.

A batch is first committed to the database, together with a note of what the text index still
lacks; then the index takes it in; then the note is wiped. Whoever opens a writer next after a
crash finds the note and does that work again, which changes nothing if it had been done.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lacuna.corpus import database, text_index
from lacuna.corpus.database import unpack
from lacuna.corpus.document_rows import DocumentRows
from lacuna.corpus.lock import only_writer
from lacuna.corpus.source_item import Redirect, Skipped, SourceItem
from lacuna.corpus.text_index import IndexedPassage, IndexWriter
from lacuna.corpus.titles import folded, is_valid
from lacuna.errors import LacunaError
from lacuna.types import Document

if TYPE_CHECKING:
    from lacuna.corpus.store import Store

BATCH_CHARACTERS = 8 << 20
BATCH_ITEMS = 5000
REPORT_EVERY = 100
NEXT_GENERATION = "UPDATE counts SET value = value + 1 WHERE name = 'generation'"


@dataclass(frozen=True, slots=True)
class Added:
    """How far an ``add`` has come.

    ``replaced`` are the documents that took another's place; ``before`` counts what an earlier,
    interrupted run had done.
    """

    documents: int = 0
    redirects: int = 0
    skipped: int = 0
    before: int = 0
    replaced: int = 0

    @property
    def items(self) -> int:
        """All items so far, whatever became of them."""
        return self.documents + self.redirects + self.skipped + self.before


Progress = Callable[[Added], None]


class Writer:
    """The one writer of a store; get it from ``Store.writer`` and use it in a ``with`` block.

    Leaving the block commits what is pending; an exception drops only the batch under way.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held = ExitStack()

    def __enter__(self) -> Writer:
        folder = self._store.folder
        with ExitStack() as held:
            held.enter_context(only_writer(folder))
            self._database = database.connect(folder)
            held.callback(self._database.close)
            self._start_batch()
            self._rows = DocumentRows(self._database)
            with self._clear_errors():
                self._index = self._open_index()
                held.callback(self._index.abandon)
                self._catch_up(self._stored_passages())
            self._held = held.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._held:
            if kind is None:
                self.commit()
                self._index.close()
                self._store.graph()  # so that the first reader need not wait for it
            elif self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def already_has(self, source: str) -> bool:
        """Whether a source was added to its end."""
        row = self._source(source)
        return row is not None and bool(row[1])

    def add(
        self, items: Iterable[SourceItem], *, source: str = "", progress: Progress | None = None
    ) -> Added:
        """Take in what a format found in a source; a title that is there already is replaced.

        With ``source`` (a name for where it comes from, such as path and size) an interrupted run
        goes on where its last commit was: the format must give the same again, in
        the same order, and what is there already is read past.
        """
        row = self._source(source) if source else None
        before = row[0] if row else 0
        added = Added()
        for item in items:
            if added.items < before or (row and row[1]):
                added = replace(added, before=added.before + 1)
            else:
                with self._clear_errors():
                    added = self._put(item, added)
                    if source:
                        self._note_source(source, added.items, finished=False)
                self._commit_if_large()
            if progress and added.items % REPORT_EVERY == 0:
                progress(added)
        if source:
            with self._clear_errors():
                self._begin()
                self._note_source(source, added.items, finished=True)
        self.commit()
        if progress:
            progress(added)
        return added

    def remove(self, title: str) -> None:
        """Remove the document or redirect of exactly this title."""
        with self._clear_errors():
            self._begin()
            if not (is_valid(title) and self._rows.remove(title)):
                raise self._store.no_such(title)
            self._database.execute("DELETE FROM sources")  # so that indexing again brings it back
            self._pending += 1
        self._commit_if_large()

    def commit(self) -> None:
        """Make all that was done so far last."""
        if not self._database.in_transaction:
            return
        with self._clear_errors():
            self._database.execute(NEXT_GENERATION)
            self._database.execute("COMMIT")
            self._catch_up(self._fresh)
        self._start_batch()

    def _start_batch(self) -> None:
        self._fresh: list[IndexedPassage] = []
        self._pending = self._characters = 0

    def _put(self, item: SourceItem, added: Added) -> Added:
        self._begin()
        self._pending += 1
        if isinstance(item, Document | Redirect) and not is_valid(item.title):
            item = Skipped(ascii(item.title), "its title is empty or not valid Unicode")
        match item:
            case Document():
                again = self._rows.has_document(item.title)
                added = replace(added, replaced=added.replaced + again)
                self._fresh += self._rows.put(item)
                self._characters += len(item.text)
                return replace(added, documents=added.documents + 1)
            case Redirect(title, target, _) if self._rows.has_document(title):
                # A name for something else must never take a document's place.
                reason = f"it would stand for {target!r}, but there is a document of that title"
                return self._put(Skipped(title, reason), added)
            case Redirect(title, target, fragment):
                self._rows.remove(title)
                self._database.execute(
                    "INSERT INTO redirects VALUES (?, ?, ?, ?)",
                    (title, folded(title), text_index.valid(target), text_index.valid(fragment)),
                )
                return replace(added, redirects=added.redirects + 1)
            case Skipped(where, reason):
                self._database.execute(
                    "INSERT OR REPLACE INTO skipped VALUES (?, ?)",
                    (text_index.valid(where), text_index.valid(reason)),
                )
                return replace(added, skipped=added.skipped + 1)

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._database.execute("BEGIN IMMEDIATE")

    def _commit_if_large(self) -> None:
        if self._characters >= BATCH_CHARACTERS or self._pending >= BATCH_ITEMS:
            self.commit()

    def _source(self, source: str) -> tuple[int, int] | None:
        row: tuple[int, int] | None = self._database.execute(
            "SELECT items, finished FROM sources WHERE key = ?", (source,)
        ).fetchone()
        return row

    def _note_source(self, source: str, items: int, *, finished: bool) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO sources VALUES (?, ?, ?)", (source, items, finished)
        )

    def _open_index(self) -> IndexWriter:
        """Open the index; one that was lost is begun anew, and lacks everything."""
        missing = not text_index.is_there(self._store.folder)
        if missing:
            with database.transaction(self._database):
                self._database.execute("INSERT OR IGNORE INTO unindexed SELECT id FROM documents")
        return IndexWriter(self._store.folder, create=missing)

    def _catch_up(self, passages: Iterable[IndexedPassage]) -> None:
        """Bring the index in step, at every commit and after a crash."""
        gone = self._database.execute(
            "SELECT document FROM stale UNION SELECT document FROM unindexed"
        ).fetchall()
        if not gone:
            return
        self._index.replace((document for (document,) in gone), passages)
        with database.transaction(self._database):
            self._database.execute("DELETE FROM stale")
            self._database.execute("DELETE FROM unindexed")
            # Once more: a reader may have looked since the last time, and not seen this yet.
            self._database.execute(NEXT_GENERATION)

    def _stored_passages(self) -> Iterator[IndexedPassage]:
        rows = self._database.execute(
            "SELECT id, title, body FROM documents WHERE id IN (SELECT document FROM unindexed)"
        )
        for number, title, body in rows:
            yield from self._rows.stored_passages(number, unpack(title, body))

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            self._start_batch()
            self._rows = DocumentRows(self._database)  # it remembers numbers that are gone now
            raise LacunaError(
                f"{self._store.folder} could not be written: {error}. What was committed before "
                "is safe; mend the cause and run it again."
            ) from error
