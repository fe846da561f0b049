"""Write to an address: one writer at a time, published with one commit."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from itertools import chain
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Any

import lance
import pyarrow as pa

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.store import is_store
from lacuna.corpus.writer import Writer
from lacuna.errors import LacunaError
from lacuna.files.cache import StoreBusyError, make_in_cache, only_writer
from lacuna.files.writing import replace_text
from lacuna_scale.lance.snapshot import KEPT, STAYING, State, StateTable, published
from lacuna_scale.lance.snapshot import NAME as STATE
from lacuna_scale.lance.store import LanceStore, fetch, local_folder
from lacuna_scale.lance.tables import (
    COUNTED,
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
    document_rows,
    passage_rows,
    plain_rows,
    telling_failures,
    term_rows,
)

BEAT = 5.0
"""Seconds between two signs of life."""
CLAIM_TIMEOUT_SECONDS = 4 * BEAT
"""Seconds without one, after which a writer is taken for gone."""


class Claim:
    """The right to write; from entering the ``with`` block to leaving it.

    ``is_first`` where nobody has ever written at the address, or it was emptied since.
    """

    def __init__(self, address: str, table: StateTable) -> None:
        self._address = address
        self._table = table
        self._name = f"{token_hex(4)} {socket.gethostname()} {os.getpid()}"
        self.is_first = False
        self._lost: LacunaError | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="claim", daemon=True)

    def __enter__(self) -> Claim:
        found = self._table.read()
        self.is_first = found is None
        before = found or State()
        if before.writer:
            before = self._wait(before)
        self.state = replace(before, writer=self._name, beats=before.beats + 1)
        self._commit(self.state)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        if self.state.writer and self._lost is None:
            try:
                self._commit(replace(self.state, writer=""))
            except LacunaError:
                if kind is None:
                    raise

    def check(self) -> None:
        """Raise where another writer took this one's place, or the store no longer answers."""
        if self._lost is not None:
            raise self._lost

    def overtaken(self) -> StoreBusyError:
        """The error of a writer that came second."""
        return self._table.overtaken()

    def publish(self, tables: dict[str, int], counts: dict[str, int], sources: Any) -> State:
        """Make versions of the tables the corpus; the claim ends with it."""
        self.check()
        self._ended.set()
        with self._lock:
            state = published(self.state, tables, counts, sources)
            self._commit(state)
            self.state = state
        return state

    def _commit(self, state: State) -> None:
        """Commit a state; one whose answer got lost on the way is found where it was written."""
        expected = self._table.version
        try:
            self._table.commit(state)
        except LacunaError as error:
            newest = self._table.read()
            if newest == state:
                return
            if newest is None or newest.writer != self._name:
                self._table.version = expected  # another's work must not be written over
                raise
            if not isinstance(error, StoreBusyError):
                raise
            self._table.commit(state)

    def _wait(self, seen: State) -> State:
        """Until the writer is done; refuse if it is alive, go on in its place if it is not."""
        began = time.monotonic()
        while time.monotonic() - began < CLAIM_TIMEOUT_SECONDS:
            time.sleep(min(1.0, BEAT / 2))
            state = self._table.read() or State()
            if not state.writer:
                return state
            if (state.writer, state.beats) != (seen.writer, seen.beats):
                _, machine, process = state.writer.split(" ")
                raise StoreBusyError(
                    f"{self._address} is being written by another process ({process} on "
                    f"{machine}). Wait until it is done, or stop it; reading is possible meanwhile."
                )
        return seen

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            with self._lock:
                if self._ended.is_set():
                    return
                try:
                    state = replace(self.state, beats=self.state.beats + 1)
                    self._commit(state)
                    self.state = state
                except StoreBusyError as error:
                    self._lost = error
                    return
                except LacunaError:
                    # The store may answer again; who publishes is told if it does not.
                    continue


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


# Writing to an address: an embedded store of this machine is filled, and then published.
#
# It stays in the cache folder, so that an interrupted run goes on where its last commit was, and
# the next one need not fetch the corpus. It is dropped where somebody else has published
# meanwhile.


STAGING = "staging"
BASE = "based-on"
"""A file with the tokens of the corpus and of the staging store when they were in step."""


@contextmanager
def writing(store: LanceStore) -> Iterator[Writer]:
    """The writer of the staging store; at the end of the block all is published."""
    home = local_folder(store.address)
    make_in_cache(home)
    try:
        with only_writer(home), Claim(store.address, StateTable(store.tables)) as claim:
            folder = home / STAGING
            _bring_in_step(store, claim.state, home, folder)
            with EmbeddedStore.create(folder) as staged:
                with staged.writer() as writer:
                    yield writer
                if _published(home) != (claim.state.token, staged.token):
                    made = publish(staged, store.tables, claim)
                    _note(home, made.token, staged.token)
    except StoreBusyError as error:
        if str(home) in str(error):
            raise StoreBusyError(
                f"{store.address} is being written by another process of this machine. Wait until "
                "it is done, or stop it; reading is possible meanwhile."
            ) from None
        raise
    store.look()


def _bring_in_step(store: LanceStore, state: State, home: Path, folder: Path) -> None:
    if is_store(folder) and _published(home)[0] == state.token:
        return
    (home / BASE).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    token = ""
    if state.is_published:
        filling = home / "filling"
        shutil.rmtree(filling, ignore_errors=True)
        fetch(store.tables, state, filling)
        with EmbeddedStore.open(filling) as filled:
            token = filled.token
        filling.rename(folder)
    _note(home, state.token, token)


def _note(home: Path, published: str, staged: str) -> None:
    with replace_text(home / BASE) as file:
        file.write(f"{published} {staged}")


def _published(home: Path) -> tuple[str, str]:
    """The tokens of what was published last and of the staging store then."""
    base = home / BASE
    published, _, staged = (base.read_text("utf-8") if base.is_file() else "none").partition(" ")
    return published, staged
