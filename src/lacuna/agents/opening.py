"""Opens the library while the protocol is spoken already: indexing may take longer than clients
wait for a server to start."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress

from lacuna.agents.library import Library
from lacuna.corpus.open import Progress

OpenLibrary = Callable[[Progress], Library]
TELL_AGAIN = 2.0
"""Seconds between two words about how far it is."""


class LibraryOpening:
    """A library that is being opened, in a thread of its own."""

    def __init__(self, open_library: OpenLibrary) -> None:
        self._open = open_library
        self._opened: Future[Library] = Future()
        self._read: tuple[int, int | None] = (0, None)
        threading.Thread(target=self._run, name="opening", daemon=True).start()

    @classmethod
    def done(cls, library: Library) -> LibraryOpening:
        """One that is open already."""
        opening = cls(lambda _: library)
        opening._opened.result()
        return opening

    @property
    def library(self) -> Library | None:
        """The library, where it is open by now."""
        is_open = self._opened.done() and self._opened.exception() is None
        return self._opened.result() if is_open else None

    def raise_failure(self, *, within: float) -> None:
        """Raise what has kept it from being opened, if that is known in so many seconds."""
        with suppress(TimeoutError):
            self._opened.result(within)

    async def wait(self, report: Callable[[str], Awaitable[None]]) -> Library:
        """The same for whoever is told meanwhile how far it is."""
        opened = asyncio.wrap_future(self._opened)
        while not opened.done():
            await asyncio.wait([opened], timeout=TELL_AGAIN)
            if not opened.done():
                await report(self._how_far())
        return opened.result()

    def _how_far(self) -> str:
        read, total = self._read
        if total and read == total:
            return f"All {total:,} files are read; now their documents are linked and indexed."
        of_all = f" of {total:,}" if total else ""
        return f"The documents are being read: {read:,}{of_all} files so far."

    def _run(self) -> None:
        try:
            library = self._open(self._note)
        except BaseException as error:  # it belongs to whoever waits for the library
            self._opened.set_exception(error)
        else:
            self._opened.set_result(library)

    def _note(self, read: int, total: int | None) -> None:
        self._read = (read, total)
