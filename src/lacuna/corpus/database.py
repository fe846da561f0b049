"""The database of a store: its tables, how it is opened, and a document as one of its rows."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Section, Span

FORMAT = 2
FILE = "documents.sqlite"
FAST = 3
"""zlib level: half the size for a third of the time that the default level takes."""

TABLES = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- a number is never used twice: the index refers to it
    title TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL,
    body BLOB NOT NULL,                    -- pack
    lead_start INTEGER NOT NULL,           -- the first paragraph
    lead_end INTEGER NOT NULL,
    links BLOB NOT NULL,                   -- numbers of names, uint32, in the text's order
    lead_links INTEGER NOT NULL            -- how many of them stand in the first paragraph
);
CREATE INDEX documents_folded ON documents (folded);
CREATE TABLE redirects (
    title TEXT PRIMARY KEY,
    folded TEXT NOT NULL,
    target TEXT NOT NULL,
    fragment TEXT NOT NULL
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
CREATE TABLE sources (key TEXT PRIMARY KEY, items INTEGER NOT NULL, finished INTEGER NOT NULL)
    WITHOUT ROWID;
CREATE TABLE skipped (place TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counts VALUES
    ('generation', 0), ('passages', 0),
    ('title_terms', 0), ('heading_terms', 0), ('body_terms', 0);
"""


def create(folder: Path) -> None:
    """Make the database of a new store; an existing one stays as it is."""
    with _clear_errors(folder):
        if folder.is_dir() and not (folder / FILE).exists() and any(folder.iterdir()):
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
    if version != FORMAT:
        connection.close()
        raise LacunaError(
            f"{folder} has store format {version}, and this version of Lacuna reads format "
            f"{FORMAT}. Index the sources again into a new folder."
        )
    return connection


def _connect(folder: Path) -> sqlite3.Connection:
    address = (folder / FILE).absolute().as_uri()
    if not os.access(folder, os.W_OK) and not (folder / f"{FILE}-wal").exists():
        # Nobody can be writing there, and SQLite need not put its lock files beside it.
        address += "?immutable=1"
    # isolation_level=None: transactions begin and end where the code says so.
    # Each thread has its own connection, but one of them closes all.
    connection = sqlite3.connect(
        address, uri=True, isolation_level=None, timeout=30, check_same_thread=False
    )
    # FULL: the text index syncs its own files, and must never be ahead of a database that lost
    # its last transactions with the power.
    connection.execute("PRAGMA synchronous = FULL")
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
        raise LacunaError(f"the store {folder} cannot be opened: {error}.") from error


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
    if document.extra:
        fields.append(dict(document.extra))
    try:
        written = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise LacunaError(
            f"document {document.title!r} cannot be stored: its extra fields are no JSON ({error})."
        ) from error
    # surrogatepass: broken text comes back just as broken, rather than not at all
    return zlib.compress(written.encode("utf-8", "surrogatepass"), FAST)


def unpack(title: str, row: bytes) -> Document:
    """The document of ``pack``."""
    text, sentences, places, targets, fragments, paragraphs, sections, *extra = json.loads(
        zlib.decompress(row).decode("utf-8", "surrogatepass")
    )
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
        extra[0] if extra else {},
    )


def _flat(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return list(chain.from_iterable(pairs))


def _spans(flat: Sequence[int]) -> tuple[Span, ...]:
    return tuple(map(Span, flat[::2], flat[1::2]))
