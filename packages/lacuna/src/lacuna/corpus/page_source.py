"""Pages on their way into a store, kept as rows until links are looked up."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Protocol

from lacuna.corpus.database import FAST, pack, unpack
from lacuna.corpus.formats.entries import Entry, SourceFile
from lacuna.corpus.formats.isolation import FileReading
from lacuna.corpus.page import LinkKind, Page, WrittenLink
from lacuna.corpus.page_links import LinkCounts, PageName, ResolvedLink
from lacuna.corpus.store import Skipped, store_at
from lacuna.corpus.text_index import valid
from lacuna.types import Document


class StoredPage(NamedTuple):
    """The kept form of a page; ``linked`` is the digest of how it was linked last."""

    name: PageName
    links: list[WrittenLink]
    linked: str


class PageRows:
    """Writes and reads the pages of a source inside the transaction of the writer."""

    def __init__(self, database: sqlite3.Connection, source: int) -> None:
        self._database = database
        self._source = source

    def file_states(self) -> dict[str, tuple[str, bytes]]:
        """The files that were read: their states, and digests of their content."""
        rows = self._database.execute(
            "SELECT name, state, digest FROM files WHERE source = ?", (self._source,)
        )
        return {name: (state, digest) for name, state, digest in rows}

    def note_file(self, name: str, state: str, digest: bytes) -> None:
        """A file was read, whatever came of it."""
        self._database.execute(
            "INSERT OR REPLACE INTO files (source, name, state, digest) VALUES (?, ?, ?, ?)",
            (self._source, name, state, digest),
        )

    def put(self, page: Page) -> None:
        """A page that was just parsed; it waits to become a document."""
        name = PageName.of(page)
        self._database.execute(
            "INSERT OR REPLACE INTO pages (source, path, file, called, names, written, body, "
            "linked, resolved, missing, outside) VALUES (?, ?, ?, ?, ?, ?, ?, '', 0, 0, 0)",
            (
                self._source,
                page.path,
                page.file,
                valid(name.title),
                json.dumps([name.names, name.labels, name.leads_to]),
                pack_links(page.links),
                None if page.leads_to else pack(page.document),
            ),
        )

    def paths_of(self, file: str) -> set[str]:
        """The pages of a file."""
        sql = "SELECT path FROM pages WHERE source = ? AND file = ?"
        return {path for (path,) in self._database.execute(sql, (self._source, file))}

    def remove(self, path: str) -> None:
        """Forget a page."""
        sql = "DELETE FROM pages WHERE source = ? AND path = ?"
        self._database.execute(sql, (self._source, path))

    def remove_file(self, file: str) -> None:
        """Forget that a file was read, and what was skipped of it; its pages stay."""
        for table, column in (("files", "name"), ("skipped", "file")):
            sql = f"DELETE FROM {table} WHERE source = ? AND {column} = ?"
            self._database.execute(sql, (self._source, file))

    def skipped_places(self) -> set[str]:
        """The skipped places that belong to no file that was read."""
        sql = "SELECT place FROM skipped WHERE source = ? AND file = ''"
        return {place for (place,) in self._database.execute(sql, (self._source,))}

    def skipped_count(self) -> int:
        """The number of files and pages that gave no document."""
        sql = "SELECT count(*) FROM skipped WHERE source = ?"
        return int(self._database.execute(sql, (self._source,)).fetchone()[0])

    def remove_skipped(self, place: str) -> None:
        """It is no longer skipped, or no longer there."""
        sql = "DELETE FROM skipped WHERE source = ? AND place = ? AND file = ''"
        self._database.execute(sql, (self._source, place))

    def names(self) -> Iterator[PageName]:
        """The names of all pages."""
        sql = "SELECT path, file, called, names FROM pages WHERE source = ? ORDER BY path"
        for path, file, called, names in self._database.execute(sql, (self._source,)):
            yield _page_name(path, file, called, names)

    def stored(self) -> Iterator[StoredPage]:
        """All pages that are documents with their links, in the order of their paths."""
        sql = (
            "SELECT path, file, called, names, written, linked FROM pages WHERE source = ? "
            "ORDER BY path"
        )
        for path, file, called, names, written, linked in self._database.execute(
            sql, (self._source,)
        ).fetchall():
            name = _page_name(path, file, called, names)
            if not name.leads_to:
                yield StoredPage(name, unpack_links(written), linked)

    def waiting(self) -> list[str]:
        """The pages that were parsed and have not become documents yet."""
        sql = "SELECT path FROM pages WHERE source = ? AND body IS NOT NULL ORDER BY path"
        return [path for (path,) in self._database.execute(sql, (self._source,))]

    def document(self, path: str) -> Document:
        """The document of a page, under the title that it gives itself: parsed or stored."""
        called, body = self._database.execute(
            "SELECT called, body FROM pages WHERE source = ? AND path = ?", (self._source, path)
        ).fetchone()
        if body is not None:
            return unpack(called, body)
        title, body = self._database.execute(
            "SELECT title, body FROM documents WHERE source = ? AND path = ?", (self._source, path)
        ).fetchone()
        return unpack(title, body)

    def has_become(self, path: str, linked: str, counts: LinkCounts) -> None:
        """A page is a document now."""
        self._database.execute(
            "UPDATE pages SET body = NULL, linked = ?, resolved = ?, missing = ?, outside = ? "
            "WHERE source = ? AND path = ?",
            (linked, counts.resolved, counts.missing, counts.outside, self._source, path),
        )

    def links_of(self, path: str) -> list[WrittenLink]:
        """The links of a page as they are written."""
        sql = "SELECT written FROM pages WHERE source = ? AND path = ?"
        return unpack_links(self._database.execute(sql, (self._source, path)).fetchone()[0])


def link_digest(title: str, resolved: Sequence[ResolvedLink]) -> str:
    """A digest of what decides how a page is linked: another one means to link it again."""
    ends = [(end.end, end.title, end.fragment) for end in resolved]
    return blake2b(json.dumps([title, ends]).encode(), digest_size=12).hexdigest()


def pack_links(links: Sequence[WrittenLink]) -> bytes:
    """Links as one field of a row."""
    fields = [[link.start, link.end, link.target, link.kind, link.fragment] for link in links]
    return zlib.compress(json.dumps(fields).encode(), FAST)


def unpack_links(row: bytes) -> list[WrittenLink]:
    """The links of ``pack_links``."""
    return [
        WrittenLink(start, end, target, LinkKind(kind), fragment)
        for start, end, target, kind, fragment in json.loads(zlib.decompress(row))
    ]


def _page_name(path: str, file: str, called: str, names: str) -> PageName:
    others, labels, leads_to = json.loads(names)
    places = tuple((label, place) for label, place in labels)
    return PageName(path, file, called, tuple(others), places, leads_to)


@dataclass(slots=True)
class BegunFile:
    """A file that was looked at: its state and digest, and what it holds as soon as it is read."""

    state: str = ""
    digest: bytes = b""
    items: Sequence[Page | Skipped] = ()
    unchanged: bool = False
    reading: FileReading | None = None

    def finish(self) -> None:
        """Wait until it is read."""
        if self.reading is not None:
            self.items = self.reading.items()

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        if self.reading is not None:
            self.reading.abandon()


class PageSource(Protocol):
    """Gives its files one after the other; those that changed are then loaded and parsed."""

    @property
    def path(self) -> Path:
        """Its path."""
        ...

    def files(self) -> Iterator[SourceFile | Skipped]:
        """All its files."""
        ...

    def load(self, file: SourceFile) -> Entry | Skipped:
        """The content of a file."""
        ...

    def begin(self, entry: Entry) -> FileReading:
        """Begin to read a file."""
        ...


class StoreSource:
    """Another corpus: each of its documents is a file, named by its title."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names: dict[str, list[str]] = defaultdict(list)

    def files(self) -> Iterator[SourceFile | Skipped]:
        """All documents, and what was skipped when they were read."""
        with store_at(self.path) as store:
            for redirect in store.redirects():
                if (title := store.resolve(redirect.title)) is not None:
                    self._names[title].append(redirect.title)
            yield from store.skipped()
            for document in store:
                data = pack(document)
                yield SourceFile(document.title, len(data), "", lambda data=data: BytesIO(data))  # type: ignore[misc]

    def load(self, file: SourceFile) -> Entry | Skipped:
        """A document as the bytes that a store has of it; no limit holds for them."""
        return file.load(file.size)

    def begin(self, entry: Entry) -> FileReading:
        """The document as a page whose links are titles."""
        return _StoredDocument(self._page(entry))

    def _page(self, entry: Entry) -> Page:
        document = unpack(entry.name, entry.data)
        links = tuple(
            WrittenLink(link.start, link.end, link.target, LinkKind.TITLE, link.fragment)
            for link in document.links
        )
        names = tuple(self._names.get(entry.name, ()))
        return Page(entry.name, replace(document, links=()), links, names=names)


class _StoredDocument:
    """A document of another corpus, which was read already."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def items(self) -> Sequence[Page | Skipped]:
        return (self._page,)

    def abandon(self) -> None:
        pass
