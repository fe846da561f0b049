"""The tables of a generation, opened at the same time: each waits for its store twice."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from lacuna.corpus.lance.state import State
from lacuna.corpus.lance.tables import Tables


class OpenTables:
    """Opening begins at once, and only who asks for a table waits for it."""

    def __init__(self, tables: Tables, state: State, first: Iterable[str]) -> None:
        self._tables = tables
        self._versions = state.tables
        self._found: dict[str, Future[Any]] = {}
        self._lock = threading.Lock()
        names = [name for name in first if name in state.tables]
        pool = ThreadPoolExecutor(max(1, len(names)), "opening")
        for name in names:
            self._found[name] = pool.submit(tables.open, name, state.tables[name])
        pool.shutdown(wait=False)

    def __getitem__(self, name: str) -> Any:
        with self._lock:
            waited = self._found.get(name)
        try:
            if waited is not None:
                return waited.result()
        except BaseException:
            with self._lock:
                self._found.pop(name, None)  # the next one tries again
            raise
        opened: Future[Any] = Future()
        opened.set_result(found := self._tables.open(name, self._versions[name]))
        with self._lock:
            self._found[name] = opened
        return found

    def wait(self) -> None:
        """Until all that was begun is open; fails where something cannot be."""
        for name in list(self._found):
            self[name]
