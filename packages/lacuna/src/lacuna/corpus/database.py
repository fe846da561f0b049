"""The database of a store: its tables, how it is opened, and what its documents were read from."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from shutil import disk_usage
from typing import Any

from lacuna.corpus import integrity as seal
from lacuna.corpus.address import address_of
from lacuna.corpus.integrity import (
    HANDLES,
    StoreConnection,
    database_address,
    readable,
    telling_damage,
)
from lacuna.errors import LacunaError, shown
from lacuna.files.cache import LOCK
from lacuna.places import Origin, PlaceUnit
from lacuna.types import Document, Link, Markup, MarkupKind, Picture, Section, Span

LACKING = " without "
"""In the state of a source: stands before the modules that reading all of it would need."""
Root = str | bytes
"""The path of a source; bytes where the path is no UTF-8, which SQLite's text must be."""


def root_of(path: Path) -> Root:
    """The root of a source, by which it is known."""
    if (address := address_of(path)) is not None:
        return address
    name = os.fsencode(path.resolve())
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name


def root_text(root: Root | None) -> str:
    """A root as it can be shown."""
    return root.decode("utf-8", "replace") if isinstance(root, bytes) else root or ""


def row_sum(source: int, path: str, run: int, title: str, body: bytes) -> int:
    """The checksum of what a document's row holds and nothing else can tell."""
    head = f"{source}\0{path}\0{run}\0{title}\0".encode("utf-8", "surrogatepass")
    return zlib.crc32(body, zlib.crc32(head))


def source_sum(number: int, root: str | bytes | None) -> int:
    """The checksum of where a source lies, which its documents refer to."""
    written = root.encode("utf-8", "surrogatepass") if isinstance(root, str) else root or b""
    return zlib.crc32(written, zlib.crc32(f"{number}\0{type(root).__name__}\0".encode()))


def sum_name(number: int | str) -> str:
    """Under which name ``counts`` has that checksum: in another place than the root itself."""
    return f"source {number}"


class SourceRows:
    """Knows the sources of a store; writes inside the transaction of the writer."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def number(self, root: Root, source_format: str = "") -> int:
        """The number of a source, which gets one if it is new."""
        row = self._database.execute("SELECT id FROM sources WHERE root = ?", (root,)).fetchone()
        if row is not None:
            number = int(row[0])
            self._database.execute(
                "UPDATE sources SET format = ? WHERE id = ?", (source_format, number)
            )
        else:
            number = self._new(root, source_format)
        self.note_sum(number, root)
        return number

    def _new(self, root: Root, source_format: str) -> int:
        number = self._database.execute(
            "INSERT INTO sources (root, format, state, items, run, finished) "
            "VALUES (?, ?, '', 0, 0, 0)",
            (root, source_format),
        ).lastrowid
        assert number is not None
        return number

    def note_sum(self, number: int, root: Root) -> None:
        """Write the checksum of where a source lies."""
        self._database.execute(
            "INSERT OR REPLACE INTO counts (name, value) VALUES (?, ?)",
            (sum_name(number), source_sum(number, root)),
        )

    def roots(self) -> list[tuple[Path, str]]:
        """The paths of the sources, and the formats that they are to be read in."""
        rows = self._database.execute("SELECT root, format FROM sources ORDER BY id").fetchall()
        return [(Path(os.fsdecode(root)), source_format) for root, source_format in rows]

    def is_finished(self, root: Root, state: str) -> bool:
        """Tell if a source was read to its end in this state, as far as what is installed can."""
        row = self._database.execute(
            "SELECT state FROM sources WHERE root = ? AND finished", (root,)
        ).fetchone()
        known, _, lacking = row[0].partition(LACKING) if row is not None else ("", "", "")
        return bool(row and known == state and not any(map(find_spec, lacking.split())))

    def resume(self, root: Root, state: str) -> tuple[int, int, int]:
        """The number of a source, that of the run over it, and how many items are done.

        In another state than before, everything is to be done once more.
        """
        number = self.number(root)
        known, items, run = self._database.execute(
            "SELECT state, items, run FROM sources WHERE id = ?", (number,)
        ).fetchone()
        if known == state:
            return number, run, items
        self._database.execute(
            "UPDATE sources SET state = ?, items = 0, run = run + 1, finished = 0 WHERE id = ?",
            (state, number),
        )
        self._database.execute("DELETE FROM skipped WHERE source = ?", (number,))
        return number, run + 1, 0

    def note(self, number: int, items: int) -> None:
        """Note how many items of a source are done."""
        self._database.execute("UPDATE sources SET items = ? WHERE id = ?", (items, number))

    def finish(self, number: int, state: str, lacking: Collection[str] = ()) -> None:
        """The source was read to its end, except what needs these modules, which are missing."""
        without = LACKING + " ".join(sorted(lacking)) if lacking else ""
        self._database.execute(
            "UPDATE sources SET state = ?, finished = 1 WHERE id = ?", (state + without, number)
        )

    def read_all_again(self) -> None:
        """Nothing counts as read any more."""
        self._database.execute("UPDATE sources SET state = '', finished = 0")
        self._database.execute("UPDATE files SET state = '', digest = x''")


# Stores of the format before this one: read as they are, and brought up to date by a writer.
#
# Format 3 has a checksum of every document, and a number that is drawn anew with every commit.


PREVIOUS, PRESENT = 2, 3
AS_NOW = "CREATE TEMP VIEW documents AS SELECT *, NULL AS sum FROM main.documents"
"""A view in the place of the table: readers need not know the difference."""
DRAW = "abs(random())"
STEPS = (
    "ALTER TABLE main.documents ADD COLUMN sum INTEGER",
    "UPDATE main.documents SET sum = row_sum(source, path, run, title, body)",
    f"INSERT OR REPLACE INTO counts VALUES ('token', {DRAW})",
    f"PRAGMA user_version = {PRESENT}",
)


def read_as_present(connection: sqlite3.Connection) -> None:
    """Let the queries of this version work over the previous format."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(AS_NOW)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database of the previous format up to date, inside a transaction."""
    connection.execute("DROP VIEW IF EXISTS temp.documents")
    connection.create_function("row_sum", 5, row_sum, deterministic=True)
    for step in STEPS:
        connection.execute(step)


FORMAT = PRESENT
FILE = seal.DATABASE
ROOM_TO_READ = 65_536
"""Bytes on the disk: SQLite keeps who reads what in a file of half that size."""
MARKUP = tuple(MarkupKind)
"""Stores have markup in this order: new kinds go to the end."""
FAST = 3
"""zlib level: half the size for a third of the time that the default level takes."""

TABLES = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL UNIQUE,             -- a folder, archive or file, or any name for it
    format TEXT NOT NULL,                  -- the one that was asked for, or nothing
    state TEXT NOT NULL,                   -- of the whole source when it was read
    items INTEGER NOT NULL,                -- how far a dump was read
    run INTEGER NOT NULL,                  -- how many times it was begun anew
    finished INTEGER NOT NULL
);
CREATE TABLE files (                       -- what was read of a source of pages
    source INTEGER NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,                   -- its size and times
    digest BLOB NOT NULL,                  -- of its content
    PRIMARY KEY (source, name)
) WITHOUT ROWID;
CREATE TABLE pages (                       -- what files say, before their links are resolved
    source INTEGER NOT NULL,
    path TEXT NOT NULL,
    file TEXT NOT NULL,
    called TEXT NOT NULL,                  -- the title that it gives itself
    names TEXT NOT NULL,                   -- JSON: its other names, and its labels
    written BLOB NOT NULL,                 -- page_rows.pack_links
    body BLOB,                             -- pack; NULL once it has become a document
    linked TEXT NOT NULL,                  -- a digest of its title and of where its links lead
    resolved INTEGER NOT NULL,
    missing INTEGER NOT NULL,
    outside INTEGER NOT NULL,
    PRIMARY KEY (source, path)
) WITHOUT ROWID;
CREATE INDEX pages_file ON pages (source, file);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- a number is never used twice: the index refers to it
    source INTEGER NOT NULL,               -- 0 where none was named
    path TEXT NOT NULL,                    -- of its page; empty where its title is its identity
    run INTEGER NOT NULL,
    title TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL,
    body BLOB NOT NULL,                    -- pack
    lead_start INTEGER NOT NULL,           -- the first paragraph
    lead_end INTEGER NOT NULL,
    links BLOB NOT NULL,                   -- numbers of names, uint32, in the text's order
    lead_links INTEGER NOT NULL,           -- how many of them stand in the first paragraph
    sum INTEGER                            -- row_sum
);
CREATE INDEX documents_folded ON documents (folded);
CREATE UNIQUE INDEX documents_page ON documents (source, path) WHERE path != '';
CREATE TABLE redirects (
    title TEXT PRIMARY KEY,
    folded TEXT NOT NULL,
    target TEXT NOT NULL,
    fragment TEXT NOT NULL,
    source INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX redirects_folded ON redirects (folded);
CREATE TABLE names (                       -- what links point to, as it is written there
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);
CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section TEXT NOT NULL,                 -- text_index.joined
    title_terms INTEGER NOT NULL,          -- how many of the terms are the title's
    heading_terms INTEGER NOT NULL,        -- how many, after those, the headings'
    terms BLOB NOT NULL                    -- numbers of terms, uint32: title, headings, passage
);
CREATE INDEX passages_document ON passages (document);
-- What the text index still lacks, and what it still has.
CREATE TABLE unindexed (document INTEGER PRIMARY KEY);
CREATE TABLE stale (document INTEGER PRIMARY KEY);
CREATE TABLE skipped (
    source INTEGER NOT NULL,
    place TEXT NOT NULL,
    file TEXT NOT NULL,                    -- the file that it stands in, of a source of pages
    reason TEXT NOT NULL,
    PRIMARY KEY (source, place)
) WITHOUT ROWID;
CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counts VALUES
    ('generation', 0), ('token', abs(random())), ('passages', 0),
    ('title_terms', 0), ('heading_terms', 0), ('body_terms', 0);
"""
NEXT_GENERATION = (
    "UPDATE counts SET value = iif(name = 'generation', value + 1, abs(random())) "
    "WHERE name IN ('generation', 'token')"
)
"""The token tells a generation from one of the same number that another history led to."""


def create(folder: Path) -> None:
    """Make the database of a new store; an existing one stays as it is."""
    with _clear_errors(folder):
        others = {path.name for path in folder.iterdir()} - {LOCK} if folder.is_dir() else ()
        if others and FILE not in others:
            raise LacunaError(
                f"{folder} holds other files and is no store. Choose a new or an empty folder: a "
                "store may delete what stands in its own."
            )
        folder.mkdir(parents=True, exist_ok=True)
        connection = _connect(folder)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in TABLES.split(";\n"):
                    if statement.strip():
                        connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute("COMMIT")
        finally:
            connection.close()


def connect(folder: Path) -> sqlite3.Connection:
    """Open the database of a store that is there."""
    if not (folder / FILE).is_file():
        raise LacunaError(
            f"{folder} is not a store: it has no {FILE}. Make one with: lacuna index SOURCE "
            f"--out {folder}"
        )
    with _clear_errors(folder):
        connection = _connect(folder)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == PREVIOUS:
            read_as_present(connection)
    if version == 0:
        connection.close()
        raise LacunaError(
            f"{folder} is not a store: making it was broken off. Make it with: lacuna index SOURCE "
            f"--out {folder}"
        )
    if version not in (PREVIOUS, FORMAT):
        connection.close()
        todo = (
            "Update Lacuna." if version > FORMAT else "Index the sources again into a new folder."
        )
        raise LacunaError(
            f"{folder} has store format {version}, and this version of Lacuna reads formats "
            f"{PREVIOUS} and {FORMAT}. {todo}"
        )
    return connection


def token_of(connection: sqlite3.Connection) -> str:
    """A word that is another one after every commit; the previous format has none."""
    row = connection.execute("SELECT value FROM counts WHERE name = 'token'").fetchone()
    return str(row[0]) if row else ""


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Migrate the database of an older format; the caller is the only writer."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == PREVIOUS:
        with transaction(connection):
            migrate(connection)


def is_up_to_date(connection: sqlite3.Connection) -> bool:
    """Tell if the database is of the present format."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(version == FORMAT)


def _connect(folder: Path) -> sqlite3.Connection:
    if not (folder / FILE).exists():
        (folder / FILE).touch()
    with HANDLES.connecting(folder / FILE) as key:
        connection = _new_connection(folder)
        connection.key = key
    # FULL: the text index syncs its own files, and must never be ahead of a database that lost
    # its last transactions with the power.
    try:
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _new_connection(folder: Path) -> StoreConnection:
    # isolation_level=None: transactions begin and end where the code says so.
    # Each thread has its own connection, but one of them closes all.
    connection = sqlite3.connect(
        database_address(folder),
        uri=True,
        isolation_level=None,
        timeout=30,
        check_same_thread=False,
        factory=StoreConnection,
    )
    connection.folder = folder
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All of the block or nothing; DEFERRED gives a view that stands still while reading."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def _clear_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        why = f"the store {readable(folder)} cannot be opened: {error}."
        if folder.is_dir() and disk_usage(folder).free < ROOM_TO_READ:
            why += " The disk is full, and reading needs some room too: make some. Nothing is lost."
        raise LacunaError(why) from error


def pack(document: Document) -> bytes:
    """Everything but the title, which has a column of its own."""
    links = document.links
    fields: list[Any] = [
        document.text,
        _flat(document.sentences),
        _flat((link.start, link.end) for link in links),
        [link.target for link in links],
        [link.fragment for link in links],
        _flat(document.paragraphs),
        [[*section.path, section.start, section.end] for section in document.sections],
    ]
    if document.extra or document.origin or document.markup or document.pictures:
        fields.append(dict(document.extra))
    if origin := document.origin:
        marks = [list(chain.from_iterable(listed)) for listed in (origin.marks, origin.anchors)]
        fields.append([origin.file, origin.root, origin.url, origin.unit, *marks])
    elif document.markup or document.pictures:
        fields.append(None)
    if document.markup or document.pictures:
        fields.append(_packed_markup(document.markup))
    if document.pictures:
        fields.append(document.pictures)
    try:
        written = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise LacunaError(
            f"document {document.title!r} cannot be stored: its extra fields are no JSON ({error})."
        ) from error
    # surrogatepass: broken text comes back just as broken, rather than not at all
    return zlib.compress(written.encode("utf-8", "surrogatepass"), FAST)


DOCUMENT_ROW = (
    "source, path, documents.run, title, body, sum, root, counts.value FROM documents "
    "LEFT JOIN sources ON sources.id = source "
    f"LEFT JOIN counts ON counts.name = '{sum_name('')}' || source"
)
"""The columns that a document is made of."""


def document_of(folder: Path, row: Sequence[Any]) -> Document:
    """The document of a ``DOCUMENT_ROW``, if that is as it was written."""
    source, path, run, title, body, expected, root, expected_root = row
    with telling_damage(folder, f"its document {shown(title)} cannot be read"):
        if expected not in (None, row_sum(source, path, run, title, body)):
            raise ValueError("its checksum does not fit")
        if expected_root not in (None, source_sum(source, root)):
            raise ValueError("the checksum of its source does not fit")
        return unpack(title, body, root_text(root))


def unpack(title: str, row: bytes, root: str = "") -> Document:
    """The document of ``pack``; ``root`` is where its source lies."""
    text, sentences, places, targets, fragments, paragraphs, sections, *more = json.loads(
        zlib.decompress(row).decode("utf-8", "surrogatepass")
    )
    extra, origin, markup, pictures = (*more, None, None, None, None)[:4]
    return Document(
        title,
        text,
        _spans(sentences),
        tuple(
            Link(start, end, target, fragment)
            for (start, end), target, fragment in zip(
                _spans(places), targets, fragments, strict=True
            )
        ),
        _spans(paragraphs),
        tuple(Section(tuple(path), start, end) for *path, start, end in sections),
        extra or {},
        origin and _origin(root, *origin),
        _markup(markup) if markup else (),
        tuple(Picture(*picture) for picture in pictures or ()),
    )


def _packed_markup(markup: Sequence[Markup]) -> list[list[int]]:
    """A list of numbers for each kind, in the order of ``MARKUP``."""
    return [[n for mark in markup if mark.kind is kind for n in mark[1:]] for kind in MARKUP]


def _markup(packed: list[list[int]]) -> tuple[Markup, ...]:
    marks = (
        Markup(kind, *numbers)
        for kind, flat in zip(MARKUP, packed, strict=False)  # a later version may know more kinds
        for numbers in zip(*[iter(flat)] * 4, strict=True)
    )
    return tuple(sorted(marks, key=lambda mark: (mark.start, -mark.end)))


def _origin(
    source: str, file: str, root: str, url: str, unit: str, marks: list[int], anchors: list[Any]
) -> Origin:
    return Origin(
        file,
        root or source,
        url,
        PlaceUnit(unit),
        tuple(zip(marks[::2], marks[1::2], strict=True)),
        tuple(zip(anchors[::2], anchors[1::2], strict=True)),
    )


def _flat(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return list(chain.from_iterable(pairs))


def _spans(flat: Sequence[int]) -> tuple[Span, ...]:
    return tuple(map(Span, flat[::2], flat[1::2]))
