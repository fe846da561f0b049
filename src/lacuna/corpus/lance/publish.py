"""Publish an embedded store at an address: what changed is written, then made visible at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from itertools import chain
from typing import Any

import lance
import pyarrow as pa

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.lance.claim import Claim
from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.rows import COUNTED, document_rows, passage_rows, plain_rows, term_rows
from lacuna.corpus.lance.state import KEPT, STAYING, State
from lacuna.corpus.lance.state import NAME as STATE
from lacuna.corpus.lance.tables import (
    DOCUMENTS,
    GROWING,
    INDEXES,
    PASSAGES,
    SCHEMAS,
    TERMS,
    TEXT_INDEX,
    Tables,
    any_of,
    batches,
)

DELETED_AT_ONCE = 10_000
CLEARED_EVERY = 10
"""Generations, after which old versions are looked for that can be deleted."""
MOST_FRAGMENTS = 20
"""Of a table; with more of them, the small ones become one."""


def publish(store: EmbeddedStore, tables: Tables, claim: Claim) -> State:
    """Write the rows that are new, delete those that are gone, and make all of it visible."""
    if claim.state.generation and claim.state.generation % CLEARED_EVERY == 0:
        _clear_old(tables, claim.state)
    written = {}
    with store.reading():
        rows: dict[str, Any] = {DOCUMENTS: document_rows, PASSAGES: passage_rows}
        for name in SCHEMAS:
            claim.check()
            with telling_failures(tables.address, "written"):
                if name in GROWING:
                    wanted = {row[0] for row in store.database.execute(f"SELECT id FROM {name}")}
                    growing = Growing(tables, name, claim)
                    found = growing.change(
                        wanted, lambda new, of=rows[name]: of(store.database, new)
                    )
                elif name == TERMS:
                    found = write_anew(tables, name, term_rows(store.database))
                else:
                    found = write_anew(tables, name, plain_rows(store.database, name))
            if found is not None:
                written[name] = found
        counts = {name: store.count(name) for name in COUNTED}
        counts |= {
            "documents": len(store),
            "redirects": sum(1 for _ in store.redirects()),
            "skipped": store.skipped_count(),
            "bytes": sum(map(size_of, written.values())),
        }
        sources = [list(astuple(source)) for source in store.sources()]
    versions = {name: found.version for name, found in written.items()}
    return claim.publish(versions, counts, sources)


def write_anew(tables: Tables, name: str, rows: Iterable[tuple[Any, ...]]) -> Any:
    """A table of these rows, whatever it was before, with its indexes; None without any rows."""
    rows = iter(rows)
    if (first := next(rows, None)) is None:
        return None
    rows = chain([first], rows)
    mode = "create" if tables.newest(name) is None else "overwrite"
    reader = pa.RecordBatchReader.from_batches(SCHEMAS[name], batches(name, rows))
    return build_indexes(name, lance.write_dataset(reader, tables.where(name), mode=mode))


class Growing:
    """A table that gains and loses rows, begun at the version that is published."""

    def __init__(self, tables: Tables, name: str, claim: Claim) -> None:
        self._tables = tables
        self._name = name
        self._version = claim.state.tables.get(name)
        self._claim = claim

    def change(self, wanted: set[int], rows: Any) -> Any:
        """Have just the rows with these numbers; ``rows`` makes those that are new."""
        if self._version is None:
            return write_anew(self._tables, self._name, rows(wanted))
        found = self._tables.open(self._name, self._version)
        there = set(found.to_table(columns=["id"])["id"].to_pylist())
        new, gone = wanted - there, sorted(there - wanted)
        if not new and not gone:
            return found
        newest = self._tables.open(self._name)
        if newest.version != self._version:  # a writer before this one never got to publish
            found.restore()
        found = self._tables.open(self._name)
        expected = found.version
        for start in range(0, len(gone), DELETED_AT_ONCE):
            found.delete(any_of("id", gone[start : start + DELETED_AT_ONCE]))
            expected += 1
        if new:
            reader = pa.RecordBatchReader.from_batches(
                SCHEMAS[self._name], batches(self._name, rows(new))
            )
            found = lance.write_dataset(reader, self._tables.where(self._name), mode="append")
            expected += 1
        if found.version != expected:  # somebody else's rows would be in it
            raise self._claim.overtaken()
        if not there:
            return build_indexes(self._name, found)
        if len(found.get_fragments()) > MOST_FRAGMENTS:
            found.optimize.compact_files()
        found.optimize.optimize_indices()
        return self._tables.open(self._name)


def build_indexes(name: str, found: Any) -> Any:
    """All indexes of a table; nothing can be indexed where there is nothing."""
    if found.count_rows():
        for column, kind in INDEXES.get(name, ()):
            options = TEXT_INDEX if kind == "INVERTED" else {}
            found.create_scalar_index(column, kind, **options)
    return found


def size_of(found: Any) -> int:
    """The bytes of the files of a table."""
    files = [file for fragment in found.get_fragments() for file in fragment.metadata.files]
    return sum(file.file_size_bytes or 0 for file in files)


def _clear_old(tables: Tables, state: State) -> None:
    """Delete what no reader needs any more; what cannot be deleted now is the next time.

    Only whoever has the claim may do it, before anything is written: Lance keeps the newest version
    of a table, so the published one must be that.
    """
    try:
        for name in (STATE, *SCHEMAS):
            found = tables.newest(name)
            if found is None or (name != STATE and found.version != state.tables.get(name)):
                continue
            found.cleanup_old_versions(
                older_than=KEPT, retain_versions=STAYING, error_if_tagged_old_versions=False
            )
    except Exception:  # this only saves room
        return
