"""An embedded store with all that a corpus at an address has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lacuna.corpus import database
from lacuna.corpus.document_rows import DocumentRows
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.rows import COUNTED, put_plain
from lacuna.corpus.lance.state import State
from lacuna.corpus.lance.tables import DOCUMENTS, PASSAGES, Tables, unpack_entry
from lacuna.corpus.source_rows import SourceRows

PLAIN = ("redirects", "skipped", "sources", "files", "pages")


def fetch(tables: Tables, state: State, folder: Path) -> None:
    """Fill a new folder; documents and passages keep their numbers."""
    with EmbeddedStore.create(folder) as store:
        connection = store.database
        rows = DocumentRows(connection)
        with database.transaction(connection):
            for name in PLAIN:
                put_plain(connection, name, table_rows(tables, state, name))
            for number, root in connection.execute("SELECT id, root FROM sources").fetchall():
                SourceRows(connection).note_sum(number, root)
            for row in table_rows(tables, state, DOCUMENTS):
                rows.put_row(row)
            for *_, words, entry in table_rows(tables, state, PASSAGES):
                rows.put_passage_row((*unpack_entry(entry)[:-1], words))
            connection.execute("INSERT INTO unindexed SELECT id FROM documents")
            counts = {name: state.counts[name] for name in COUNTED}
            for name, value in (*counts.items(), ("generation", state.generation)):
                sql = "UPDATE counts SET value = ? WHERE name = ?"
                connection.execute(sql, (value, name))
        with store.writer():
            pass  # the text index, the link graph and the checksums follow


def table_rows(tables: Tables, state: State, name: str) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, in the order they were added."""
    if name not in state.tables:
        return
    with telling_failures(tables.address):
        found = tables.open(name, state.tables[name])
        for batch in found.to_batches(batch_size=1000, scan_in_order=True):
            columns = [column.to_pylist() for column in batch.columns]
            yield from zip(*columns, strict=True)
