"""Keeps open corpora current: looks every few seconds whether their files have changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from lacuna.corpus.lock import StoreBusyError
from lacuna.corpus.refresh import refresh_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError

SECONDS = 2.0
"""Between two looks; one is cheap, since only files that changed are read."""


class Watcher:
    """Refreshes stores in a thread of its own, from entering the ``with`` block to leaving it.

    ``stores`` is called for each look. ``on_change`` gets a store that changed, ``on_problem`` why
    one could not be refreshed: once, until the reason is another. Whoever reads a store meanwhile
    sees the old state or the new one, by its generation.
    """

    def __init__(
        self,
        stores: Callable[[], Iterable[Store]],
        *,
        on_problem: Callable[[str], None],
        on_change: Callable[[Store], None] = lambda _: None,
        seconds: float | None = None,
    ) -> None:
        self._stores = stores
        self._on_problem = on_problem
        self._on_change = on_change
        self._seconds = SECONDS if seconds is None else seconds
        self._told: set[str] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watch", daemon=True)

    def __enter__(self) -> Watcher:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def look(self) -> None:
        """Refresh every store now."""
        problems = set()
        for store in self._stores():
            try:
                before = store.generation
                try:
                    refresh_store(store)
                finally:  # one source may have changed where another could not be read
                    if store.generation != before:
                        self._on_change(store)
            except StoreBusyError:
                continue  # another process reads the changes at this moment
            except Exception as error:  # whatever it is, the next look may go well
                problems.add(_words(error))
        for problem in problems - self._told:
            self._on_problem(problem)
        self._told = problems

    def _watch(self) -> None:
        while not self._ended.wait(self._seconds):
            self.look()


def _words(error: Exception) -> str:
    reason = str(error) if isinstance(error, LacunaError) else f"{type(error).__name__}: {error}"
    return f"The changes of the files cannot be followed at the moment. {reason}"
