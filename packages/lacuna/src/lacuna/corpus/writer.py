"""Add to a store, replace and remove, so that a crash loses nothing that was committed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lacuna.corpus import database, text_index
from lacuna.corpus import integrity as seal
from lacuna.corpus.database import NEXT_GENERATION, Root, SourceRows, unpack
from lacuna.corpus.page_links import with_title
from lacuna.corpus.rows import DocumentRows
from lacuna.corpus.store import Redirect, Skipped, SourceItem
from lacuna.corpus.text_index import IndexedPassage, IndexWriter
from lacuna.corpus.titles import folded, is_valid
from lacuna.errors import LacunaError
from lacuna.files.cache import only_writer
from lacuna.types import Document

if TYPE_CHECKING:
    from lacuna.corpus.embedded_store import EmbeddedStore


BATCH_CHARACTERS = 8 << 20
BATCH_ITEMS = 5000
REPORT_EVERY = 100


@dataclass(frozen=True, slots=True)
class Added:
    """The progress of reading a source.

    ``replaced`` are the documents that took another's place, ``removed`` those whose file is gone;
    ``before`` counts what an earlier run had done and need not be done again.
    """

    documents: int = 0
    redirects: int = 0
    skipped: int = 0
    before: int = 0
    replaced: int = 0
    removed: int = 0

    @property
    def items(self) -> int:
        """All items so far, whatever became of them."""
        return self.documents + self.redirects + self.skipped + self.before

    @property
    def changed(self) -> bool:
        """True if anything was done."""
        return bool(self.items - self.before + self.removed)


Progress = Callable[[Added], None]


class Writer:
    """The one writer of a store; get it from ``Store.writer`` and use it in a ``with`` block.

    Leaving the block commits what is pending; an exception drops only the batch under way.
    What it offers besides ``add``, ``remove`` and ``commit`` is for the other components of the
    corpus.
    """

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        self._held = ExitStack()

    def __enter__(self) -> Writer:
        folder = self._store.folder
        with ExitStack() as held:
            held.enter_context(only_writer(folder))
            self.database = database.connect(folder)
            held.callback(self.database.close)
            self._changed = not seal.is_sealed(folder)
            self._start_batch()
            self.rows = DocumentRows(self.database)
            self.sources = SourceRows(self.database)
            with self.clear_errors():
                if not database.is_up_to_date(self.database):
                    self._about_to_change()
                    database.bring_up_to_date(self.database)
                self._index = self._open_index()
                held.callback(self._index.abandon)
                if self._changed:
                    self._index.clear_leftovers()
                self._catch_up(self._stored_passages())
            self._held = held.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._held:
            if kind is None:
                self.commit()
                self._index.close()
                if self._changed:
                    with self.clear_errors():
                        token = database.token_of(self.database)
                        seal.seal(self._store.folder, self.database, token)
                self._store.graph()  # so that the first reader need not wait for it
            elif self.database.in_transaction:
                self.database.execute("ROLLBACK")

    def add(
        self,
        items: Iterable[SourceItem],
        *,
        source: Root = "",
        state: str = "",
        progress: Progress | None = None,
    ) -> Added:
        """Take in what a format found in a source; a title that is there already is replaced.

        With ``source`` (where it comes from, such as a path) and its ``state`` an interrupted run
        goes on where its last commit was: the format must give the same again, in the same order,
        and what is there already is read past. In another state it is read from its beginning, and
        what it no longer has is taken out.
        """
        with self.clear_errors():
            self.begin()
            number, run, before = self.sources.resume(source, state) if source else (0, 0, 0)
        added = Added()
        for item in items:
            if added.items < before:
                added = replace(added, before=added.before + 1)
            else:
                with self.clear_errors():
                    added = self._add(item, added, number, run)
                    if source:
                        self.sources.note(number, added.items)
                self.commit_if_large()
            if progress and added.items % REPORT_EVERY == 0:
                progress(added)
        if source:
            with self.clear_errors():
                self.begin()
                added = replace(added, removed=self.rows.remove_older(number, run))
                self.sources.finish(number, state)
        self.commit()
        if progress:
            progress(added)
        return added

    def remove(self, title: str) -> None:
        """Remove the document or redirect of exactly this title."""
        with self.clear_errors():
            self.begin()
            if not (is_valid(title) and self.rows.remove(title)):
                raise self._store.no_such(title)
            self.sources.read_all_again()  # so that indexing again brings it back
            self._pending += 1
        self.commit_if_large()

    def commit(self) -> None:
        """Make all that was done so far last."""
        if not self.database.in_transaction:
            return
        with self.clear_errors():
            self.database.execute(NEXT_GENERATION)
            self.database.execute("COMMIT")
            self._catch_up(self._fresh)
        self._start_batch()

    def _start_batch(self) -> None:
        self._fresh: list[IndexedPassage] = []
        self._pending = self._characters = 0

    def put(self, document: Document, source: int = 0, path: str = "", run: int = 0) -> None:
        """Write a document; the index learns of it at the next commit."""
        self.begin()
        self._pending += 1
        self._fresh += self.rows.put(document, source, path, run)
        self._characters += len(document.text)

    def count(self, document: Document) -> None:
        """Something as large as this document was written; it counts for the next commit."""
        self._pending += 1
        self._characters += len(document.text)

    def skip(self, skipped: Skipped, source: int = 0, file: str = "") -> None:
        """Note what gave no document."""
        self.begin()
        self._pending += 1
        self.database.execute(
            "INSERT OR REPLACE INTO skipped (source, place, file, reason) VALUES (?, ?, ?, ?)",
            (source, *map(text_index.valid, (skipped.where, file, skipped.reason))),
        )

    def redirect(self, redirect: Redirect, source: int = 0) -> bool:
        """Note a name for a document; it never takes the place of a document of that title."""
        self.begin()
        self._pending += 1
        if self.rows.has_document(redirect.title):
            return False
        self.database.execute(
            "INSERT OR REPLACE INTO redirects (title, folded, target, fragment, source) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                redirect.title,
                folded(redirect.title),
                text_index.valid(redirect.target),
                text_index.valid(redirect.fragment),
                source,
            ),
        )
        return True

    def _add(self, item: SourceItem, added: Added, source: int, run: int) -> Added:
        if isinstance(item, Document | Redirect) and not is_valid(item.title):
            item = Skipped(ascii(item.title), "its title is empty or not valid Unicode")
        match item:
            case Document():
                again = self.rows.has_document(item.title)
                if again and self.rows.is_page(item.title):
                    item = with_title(item, self._unused(item.title))
                    again = False
                self.put(item, source, run=run)
                replaced = added.replaced + again
                return replace(added, documents=added.documents + 1, replaced=replaced)
            case Redirect(title, target):
                if self.redirect(item, source):
                    return replace(added, redirects=added.redirects + 1)
                reason = f"it would stand for {target!r}, but there is a document of that title"
                return self._add(Skipped(title, reason), added, source, run)
            case Skipped():
                self.skip(item, source)
                return replace(added, skipped=added.skipped + 1)

    def _unused(self, title: str) -> str:
        """A title like this one that no page has: a page is known by its path."""
        number = 2
        while self.rows.is_page(named := f"{title} ({number})"):
            number += 1
        return named

    def begin(self) -> None:
        """Begin a transaction, if none is under way."""
        if not self.database.in_transaction:
            self._about_to_change()
            self.database.execute("BEGIN IMMEDIATE")

    def _about_to_change(self) -> None:
        if not self._changed:
            seal.unseal(self._store.folder)
            self._changed = True

    def commit_if_large(self) -> None:
        """Commit where enough has come together."""
        if self._characters >= BATCH_CHARACTERS or self._pending >= BATCH_ITEMS:
            self.commit()

    def _open_index(self) -> IndexWriter:
        """Open the index; one that was lost is begun anew, and lacks everything."""
        missing = not text_index.is_there(self._store.folder)
        if missing:
            self._about_to_change()
            with database.transaction(self.database):
                self.database.execute("INSERT OR IGNORE INTO unindexed SELECT id FROM documents")
        return IndexWriter(self._store.folder, create=missing)

    def _catch_up(self, passages: Iterable[IndexedPassage]) -> None:
        """Bring the index in step, at every commit and after a crash."""
        gone = self.database.execute(
            "SELECT document FROM stale UNION SELECT document FROM unindexed"
        ).fetchall()
        if not gone:
            return
        self._about_to_change()
        self._index.replace((document for (document,) in gone), passages)
        with database.transaction(self.database):
            self.database.execute("DELETE FROM stale")
            self.database.execute("DELETE FROM unindexed")
            # Once more: a reader may have looked since the last time, and not seen this yet.
            self.database.execute(NEXT_GENERATION)

    def _stored_passages(self) -> Iterator[IndexedPassage]:
        rows = self.database.execute(
            "SELECT id, title, body FROM documents WHERE id IN (SELECT document FROM unindexed)"
        )
        for number, title, body in rows:
            yield from self.rows.stored_passages(number, unpack(title, body))

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Drop the batch under way where the database fails, and say what that means."""
        try:
            yield
        except sqlite3.Error as error:
            if self.database.in_transaction:
                self.database.execute("ROLLBACK")
            self._start_batch()
            self.rows = DocumentRows(self.database)  # it remembers numbers that are gone now
            raise LacunaError(
                f"{self._store.folder} could not be written: {error}. What was committed before "
                "is safe; mend the cause and run it again."
            ) from error
