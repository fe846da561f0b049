"""One writer at a time: who writes says so, and goes on saying so.

A writer notes itself in the state of the corpus and raises a number there every few seconds.
Whoever finds a note that does not change, by its own clock alone, takes the place of a writer that
is gone; that one's next commit fails, should it only have slept.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from dataclasses import replace
from secrets import token_hex
from types import TracebackType
from typing import Any

from lacuna.corpus.lance.state import State, StateTable, published
from lacuna.corpus.lock import StoreBusyError
from lacuna.errors import LacunaError

BEAT = 5.0
"""Seconds between two signs of life."""
PATIENCE = 4 * BEAT
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
        while time.monotonic() - began < PATIENCE:
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
