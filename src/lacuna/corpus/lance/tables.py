"""The tables of a corpus: the rows of the embedded store, in Lance's format.

Documents and passages only ever gain and lose rows; a number is never used twice. All others are
small and written anew with every generation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import lance
import msgspec
import pyarrow as pa

from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.term_numbers import TermNumbers

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
        """Where a table is."""
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
