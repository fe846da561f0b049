"""The tables of a corpus in Lance's format, the rows that go into them, and failures in words."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple

import lance
import msgspec
import numpy as np
import pyarrow as pa

from lacuna.corpus.database import pack, row_sum
from lacuna.corpus.passages import lead
from lacuna.corpus.rows import NUMBER, found_terms, links_in_order
from lacuna.corpus.text_index import SECTION_MARK, Analyzer, joined, section_keys
from lacuna.corpus.titles import folded
from lacuna.errors import AddressError, LacunaError
from lacuna.types import Document

SECRETS = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|SAS", re.IGNORECASE)
STORES = ("AWS_", "AZURE_", "GOOGLE_", "GCS_")
REFUSED = re.compile(
    r"\b40[13]\b|access ?denied|forbidden|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken"
    r"|Unauthori[sz]ed|unauthenticated|credential|InvalidToken|permission denied"
    r"|lacked the necessary privileges",
    re.IGNORECASE,
)
WRONG_CLOCK = re.compile(
    r"TooSkewed|too skewed|RequestExpired|date header (is )?too old|iat and exp", re.IGNORECASE
)
"""The messages of S3, Azure and Google that a request was signed at another time than theirs."""
NO_ROOM = re.compile(
    r"no space left|\b507\b|insufficient ?storage|quota|EntityTooLarge|disk full", re.IGNORECASE
)
UNREACHABLE = re.compile(
    r"timed? ?out|connect|dns|resolve host|error sending request|\b50[0234]\b|retries",
    re.IGNORECASE,
)
MISSING = re.compile(r"NoSuchBucket|bucket .*(not|n't) exist", re.IGNORECASE)
NO_REGION = re.compile(r"resolve region|missing region", re.IGNORECASE)
NO_TLS = re.compile(r"\bGET http://.*builder error|URL scheme is not allowed", re.IGNORECASE)
"""The client's message that it was not allowed to go without TLS."""
LONGEST = 300


@contextmanager
def telling_failures(address: str, doing: str = "read") -> Iterator[None]:
    """For all that is done with an address."""
    try:
        yield
    except (LacunaError, KeyboardInterrupt):
        raise
    except Exception as error:  # Lance raises many kinds for what its store says
        raise AddressError(_words(address, doing, str(error))) from None


def without_secrets(text: str) -> str:
    """The first line of a text, without what the environment keeps secret or an address carries."""
    for name, value in os.environ.items():
        if name.startswith(STORES) and SECRETS.search(name) and len(value) > 3:
            text = text.replace(value, "…")
    text = re.sub(r"\?[^\s\"']+", "", text)  # signed addresses
    text = re.sub(r"//[^/@\s]+@", "//…@", text)
    text = re.sub(r"LanceError\(\w+\): |,? ?/\S*\.rs:\d+:\d+", "", text.partition("\n")[0]).strip()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _without_places(address: str, error: str) -> str:
    """The text of an error without its place: names of buckets and lines of code hold any word."""
    path = address.partition("://")[2]
    for place in (address, path, path.partition("/")[2]):
        error = error.replace(place, "") if place else error
    return re.sub(r"\S*\.rs:\d+(:\d+)?", "", error)


def _words(address: str, doing: str, error: str) -> str:
    said = without_secrets(error)
    error = _without_places(address, error)
    if MISSING.search(error):
        return f"{address} cannot be {doing}: there is no such bucket or container. Make it first."
    if NO_REGION.search(error):
        return (
            f"{address} cannot be {doing}: it is not known in which region its bucket is. Set "
            "AWS_REGION, or AWS_ENDPOINT_URL for another store that speaks S3."
        )
    if NO_TLS.search(error):
        return (
            f"{address} cannot be {doing}: its store is at an address without TLS. Where that is "
            "meant, set AWS_ALLOW_HTTP=true."
        )
    if NO_ROOM.search(error):
        return (
            f"{address} cannot be {doing}: its store has no room left. What was published before "
            "is whole; make room and run it again."
        )
    if WRONG_CLOCK.search(error):
        return (
            f"{address} cannot be {doing}: the clock of this machine differs too much from that of "
            "its store, which refuses such requests. Set it right and run it again; what was "
            "published before is whole."
        )
    if REFUSED.search(error):
        return (
            f"{address} cannot be {doing}: its store refuses the credentials of the environment "
            "(they are missing, wrong, expired, or do not allow this). Set them anew, as "
            "docs/scaling.md shows, and run it again; what was published before is whole."
        )
    if UNREACHABLE.search(error):
        return (
            f"{address} cannot be {doing}: its store does not answer, after several attempts "
            f"({said}). Run it again when it does; what was published before is whole."
        )
    return f"{address} cannot be {doing}: {said}. What was published before is whole."


TERM_NUMBER = np.dtype("<u8")
MOST_KNOWN = 1_000_000
"""Terms whose numbers are remembered; then all are forgotten."""


class TermNumbers:
    """Numbers of terms; that two of ten million terms share one has odds of 1 to 300,000."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, terms: Iterable[str]) -> list[int]:
        """The numbers of some terms."""
        known = self._known
        if len(known) > MOST_KNOWN:
            known = self._known = {}
        return [known.get(term) or self._new(term, known) for term in terms]

    def packed(self, words: str) -> bytes:
        """Those of terms with spaces between, one after the other, as bytes."""
        return np.array(self.of(words.split()), TERM_NUMBER).tobytes()

    def _new(self, term: str, known: dict[str, int]) -> int:
        digest = blake2b(term.encode("utf-8"), digest_size=TERM_NUMBER.itemsize).digest()
        number = known[term] = int.from_bytes(digest, "little")
        return number


# The tables of a corpus: the rows of the embedded store, in Lance's format.
#
# Documents and passages only ever gain and lose rows; a number is never used twice. All others are
# small and written anew with every generation.


DOCUMENTS, PASSAGES, REDIRECTS, TERMS = "documents", "passages", "redirects", "terms"

SCHEMAS: dict[str, pa.Schema] = {
    DOCUMENTS: pa.schema(
        [
            ("id", pa.int64()),
            ("source", pa.int64()),
            ("path", pa.string()),
            ("run", pa.int64()),
            ("title", pa.string()),
            ("folded", pa.string()),
            ("body", pa.large_binary()),  # database.pack
            ("lead_start", pa.int64()),
            ("lead_end", pa.int64()),
            ("links", pa.list_(pa.string())),  # what they point to, in the text's order
            ("lead_links", pa.int64()),  # how many of them stand in the first paragraph
            ("sum", pa.int64()),  # row_sum
        ]
    ),
    PASSAGES: pa.schema(
        [
            ("id", pa.int64()),
            ("document", pa.int64()),
            ("sections", pa.list_(pa.string())),  # text_index.section_keys
            ("title_terms", pa.int64()),
            ("heading_terms", pa.int64()),
            ("words", pa.string()),  # the terms of title, headings and text, with spaces between
            ("entry", pa.large_binary()),  # PassageEntry: one column is read faster than nine
        ]
    ),
    REDIRECTS: pa.schema(
        [
            ("title", pa.string()),
            ("folded", pa.string()),
            ("target", pa.string()),
            ("fragment", pa.string()),
            ("source", pa.int64()),
        ]
    ),
    TERMS: pa.schema([("term", pa.string()), ("passages", pa.int64())]),  # how many have it
    "skipped": pa.schema(
        [
            ("source", pa.int64()),
            ("place", pa.string()),
            ("file", pa.string()),
            ("reason", pa.string()),
        ]
    ),
    "sources": pa.schema(
        [
            ("id", pa.int64()),
            ("root", pa.binary()),
            ("is_text", pa.bool_()),  # whether the root is text in the database
            ("format", pa.string()),
            ("state", pa.string()),
            ("items", pa.int64()),
            ("run", pa.int64()),
            ("finished", pa.int64()),
        ]
    ),
    "files": pa.schema(
        [
            ("source", pa.int64()),
            ("name", pa.string()),
            ("state", pa.string()),
            ("digest", pa.binary()),
        ]
    ),
    "pages": pa.schema(
        [
            ("source", pa.int64()),
            ("path", pa.string()),
            ("file", pa.string()),
            ("called", pa.string()),
            ("names", pa.string()),
            ("written", pa.large_binary()),
            ("body", pa.large_binary()),
            ("linked", pa.string()),
            ("resolved", pa.int64()),
            ("missing", pa.int64()),
            ("outside", pa.int64()),
        ]
    ),
}
GROWING = (DOCUMENTS, PASSAGES)
INDEXES: dict[str, tuple[tuple[str, str], ...]] = {
    DOCUMENTS: (("folded", "BTREE"), ("id", "BTREE")),
    PASSAGES: (("words", "INVERTED"), ("document", "BTREE"), ("sections", "LABEL_LIST")),
    REDIRECTS: (("folded", "BTREE"),),
    TERMS: (("term", "BTREE"),),
}
TEXT_INDEX = {
    # The words are terms already: text_index.Analyzer made them.
    "base_tokenizer": "whitespace",
    "lower_case": False,
    "stem": False,
    "remove_stop_words": False,
    "ascii_folding": False,
    "max_token_length": None,
    "with_position": False,
}
LARGEST_BATCH = 2000


class PassageEntry(NamedTuple):
    """A passage as a search reads it; ``section`` is that of ``text_index.joined``."""

    id: int
    document: int
    title: str
    start: int
    end: int
    section: str
    title_terms: int
    heading_terms: int
    terms: bytes  # the numbers of the words, of ``term_numbers``


pack_entry = msgspec.msgpack.Encoder().encode
unpack_entry = msgspec.msgpack.Decoder(PassageEntry).decode


class Tables:
    """The tables behind an address, by name and version."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._session = lance.Session()

    def where(self, name: str) -> str:
        """The address of a table."""
        return f"{self.address}/{name}.lance"

    def open(self, name: str, version: int | None = None) -> Any:
        """A table as it was at a version, or as it is."""
        with telling_failures(self.address):
            return lance.dataset(self.where(name), version=version, session=self._session)

    def newest(self, name: str) -> Any | None:
        """A table as it is; None if there is none."""
        try:
            return lance.dataset(self.where(name), session=self._session)
        except ValueError as error:
            if "was not found" in str(error) or "not found" in str(error).lower():
                return None
            with telling_failures(self.address):
                raise
        except Exception:
            with telling_failures(self.address):
                raise


def batches(name: str, rows: Iterable[tuple[Any, ...]]) -> Iterator[pa.RecordBatch]:
    """Rows of a table, a few at a time; of passages, those that ``rows.passage_rows`` gives."""
    schema = SCHEMAS[name]
    if name == PASSAGES:
        rows = map(partial(_packed, TermNumbers()), rows)
    waiting: list[tuple[Any, ...]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) >= LARGEST_BATCH:
            yield _batch(schema, waiting)
            waiting = []
    if waiting:
        yield _batch(schema, waiting)


def _packed(numbers: TermNumbers, row: tuple[Any, ...]) -> tuple[Any, ...]:
    number, document, title, start, end, section, sections, in_title, in_headings, words = row
    terms = numbers.packed(words)
    entry = PassageEntry(number, document, title, start, end, section, in_title, in_headings, terms)
    return number, document, sections, in_title, in_headings, words, pack_entry(entry)


def _batch(schema: pa.Schema, rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def quoted(text: str) -> str:
    """A text in a filter."""
    return "'" + text.replace("'", "''") + "'"


def any_of(column: str, values: Iterable[int | str]) -> str:
    """The filter of rows that have one of some values."""
    listed = ", ".join(quoted(value) if isinstance(value, str) else str(value) for value in values)
    return f"{column} IN ({listed})" if listed else "false"


Row = tuple[Any, ...]
AT_ONCE = 500
"""Rows that are fetched from the database with one statement."""
COUNTED = ("passages", "title_terms", "heading_terms", "body_terms")
ORDER = {
    "redirects": "title",
    "skipped": "source, place",
    "sources": "id",
    "files": "source, name",
    "pages": "source, path",
}


class Meanings:
    """The names or terms of an embedded store by their numbers."""

    def __init__(self, database: sqlite3.Connection, table: str, column: str) -> None:
        rows = database.execute(f"SELECT id, {column} FROM {table}").fetchall()
        most = max((number for number, _ in rows), default=0)
        self._texts = np.full(most + 1, "", object)
        for number, text in rows:
            self._texts[number] = text

    def of(self, numbers: bytes) -> list[str]:
        """The texts of some numbers as the database has them."""
        texts: list[str] = self._texts[np.frombuffer(numbers, NUMBER)].tolist()
        return texts


def document_rows(database: sqlite3.Connection, numbers: Collection[int]) -> Iterator[Row]:
    """Documents with these numbers, in their order."""
    names = Meanings(database, "names", "name")
    sql = (
        "SELECT id, source, path, run, title, folded, body, lead_start, lead_end, links, "
        "lead_links, sum FROM documents WHERE id IN ({}) ORDER BY id"
    )
    for *row, links, lead_links, checksum in _chosen(database, sql, numbers):
        yield *row, names.of(links), lead_links, checksum


def passage_rows(database: sqlite3.Connection, numbers: Collection[int]) -> Iterator[Row]:
    """Passages with these numbers, in their order."""
    terms = Meanings(database, "terms", "term")
    sql = (
        'SELECT passages.id, document, title, start, "end", section, title_terms, heading_terms, '
        "terms FROM passages JOIN documents ON documents.id = document "
        "WHERE passages.id IN ({}) ORDER BY passages.id"
    )
    for *row, section, title_terms, heading_terms, blob in _chosen(database, sql, numbers):
        path = section.split(SECTION_MARK) if section else []
        words = " ".join(terms.of(blob))
        yield *row, section, section_keys(path), title_terms, heading_terms, words


def term_rows(database: sqlite3.Connection) -> Iterator[Row]:
    """The number of passages with each term, in any field."""
    texts = database.execute("SELECT id, term FROM terms ORDER BY term").fetchall()
    having = np.zeros(max((number for number, _ in texts), default=0) + 1, np.int64)
    for (blob,) in database.execute("SELECT terms FROM passages"):
        having[np.unique(np.frombuffer(blob, NUMBER))] += 1
    for number, term in texts:
        if count := int(having[number]):
            yield term, count


def plain_rows(database: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows of a table that is the same in both."""
    columns = ", ".join(
        "typeof(root) = 'text'" if name == "is_text" else name for name in SCHEMAS[table].names
    )
    for row in database.execute(f"SELECT {columns} FROM {table} ORDER BY {ORDER[table]}"):
        if table == "sources":
            number, root, *others = row
            yield number, root.encode() if isinstance(root, str) else root, *map_text(others)
        else:
            yield row


def map_text(others: list[Any]) -> Iterator[Any]:
    """SQLite's truth is a number, Arrow's is not."""
    yield bool(others[0])
    yield from others[1:]


def put_plain(database: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Write rows of such a table."""
    names = [name for name in SCHEMAS[table].names if name != "is_text"]
    marks = ", ".join("?" * len(names))
    if table == "sources":
        rows = (
            (number, root.decode() if is_text else root, *others)
            for number, root, is_text, *others in rows
        )
    database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)


def _chosen(
    database: sqlite3.Connection, sql: str, numbers: Collection[int]
) -> Iterator[tuple[Any, ...]]:
    ordered = iter(sorted(numbers))
    while some := list(islice(ordered, AT_ONCE)):
        yield from database.execute(sql.format(", ".join(map(str, some)))).fetchall()


# Documents as rows of the tables, made where they are read: no database numbers them.
#
# A number tells the part of a source that a document stands in and its place there, so that many
# machines number documents at once, and all in the order of the source.


PLACES = 1 << 20
"""Documents that a part may have, and passages that a document may have."""


class TermCounts(NamedTuple):
    """The counts of a store's passages, for one document."""

    passages: int
    title_terms: int
    heading_terms: int
    body_terms: int


class NewRows(NamedTuple):
    """The rows of one document."""

    document: tuple[Any, ...]
    passages: list[tuple[Any, ...]]
    counts: TermCounts


def document_number(part: int, place: int) -> int:
    """The number of a document; both count from 0."""
    return part * PLACES + place + 1


def rows_of(document: Document, number: int, source: int, run: int, analyzer: Analyzer) -> NewRows:
    """The rows that ``DocumentRows.put`` writes of a document, as the tables have it."""
    body = pack(document)
    links = links_in_order(document)
    first = lead(document)
    row = (
        *(number, source, "", run),
        document.title,
        folded(document.title),
        body,
        *first,
        [target for _, target in links],
        sum(start < first.end for start, _ in links),
        row_sum(source, "", run, document.title, body),
    )
    passages: list[tuple[Any, ...]] = []
    title_terms = heading_terms = body_terms = 0
    for place, found in enumerate(found_terms(document, analyzer)):
        title_terms += len(found.title)
        heading_terms += len(found.headings)
        body_terms += len(found.body)
        passages.append(
            (
                *(number * PLACES + place, number, document.title, *found.span),
                joined(found.path),
                section_keys(found.path),
                len(found.title),
                len(found.headings),
                " ".join((*found.title, *found.headings, *found.body)),
            )
        )
    counts = TermCounts(len(passages), title_terms, heading_terms, body_terms)
    return NewRows(row, passages, counts)
