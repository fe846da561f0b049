"""Read files apart from this process: a few processes wait for files, and are replaced."""

from __future__ import annotations

import atexit
import os
import threading

from lacuna.corpus.formats.apart.parsing import parsed_items
from lacuna.corpus.formats.apart.reading_process import Ending, Items, ReadingProcess
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.source_item import Skipped

SECONDS_PER_MB = 20.0
"""Of work that a file may take for its size, beside what its format has for any: several times what
the slowest parser needs."""
MOST_WAITING = 2
"""Processes that are kept for the next file."""

PROBLEMS = {
    Ending.SLOW: "reading it takes too long; split it, or save it in another format",
    Ending.BROKEN: "reading it ended the process that did; split it, or save it in another format",
}


class ProcessPool:
    """The processes that wait for a file."""

    def __init__(self) -> None:
        self._waiting: list[ReadingProcess] = []
        self._owner = os.getpid()
        self._lock = threading.Lock()

    def taken(self) -> ReadingProcess:
        """One that waits, or a new one."""
        with self._lock:
            if self._owner != os.getpid():  # a copy of this process must not talk to the same ones
                self._waiting, self._owner = [], os.getpid()
            while self._waiting:
                process = self._waiting.pop()
                if process.is_alive:
                    return process
                process.close()
        return ReadingProcess()

    def give_back(self, process: ReadingProcess) -> None:
        """It has replied."""
        with self._lock:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(process)
                return
        process.close()

    def close(self) -> None:
        """End all that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        if self._owner == os.getpid():
            for process in waiting:
                process.close()


_pool = ProcessPool()
atexit.register(_pool.close)


class ApartReading:
    """One file that is being read, from the moment that it is made."""

    def __init__(self, known: DocumentFormat, entry: Entry) -> None:
        self._known = known
        self._entry = entry
        self._seconds = known.seconds + SECONDS_PER_MB * len(entry.data) / (1 << 20)
        self._process: ReadingProcess | None = None
        self._begin(_pool.taken())

    def items(self) -> Items:
        """The pages of the file, or why it was skipped; can be asked for once."""
        process = self._process
        assert process is not None
        again = not process.is_fresh
        result = process.result()
        if result is Ending.BROKEN and again:  # perhaps by an earlier file
            process = self._begin(ReadingProcess())
            result = process.result()
        self._process = None
        if isinstance(result, Ending):
            return [Skipped(self._entry.name, PROBLEMS[result])]
        _pool.give_back(process)
        return self._read_here() if result is None else result

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        if self._process is not None:
            self._process.close()

    def _begin(self, process: ReadingProcess) -> ReadingProcess:
        self._process = process
        process.begin(self._known.name, self._entry, self._seconds)
        return process

    def _read_here(self) -> Items:
        """A format that only this process knows was put there by its own program."""
        assert self._known.parse is not None
        return list(parsed_items(self._known.parse, self._entry))
