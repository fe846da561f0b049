"""Parse each document in a separate, limited process."""

from __future__ import annotations

import atexit
import os
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from enum import StrEnum
from functools import partial
from time import monotonic
from typing import Any, Protocol, TypeVar

import msgspec

from lacuna.corpus.formats.base import DocumentFormat, ParseFile
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.errors import LacunaError, is_of_the_system
from lacuna.files.child import code_command, end_child, talking_child


class Request(msgspec.Struct):
    """A document to read: a file of ``size`` bytes, which follow, in one of the formats; and the
    seconds of a processor's time that it may take."""

    format: str
    name: str
    size: int
    seconds: float


class Reply(msgspec.Struct):
    """The items that were read, in order: each is a page, or a reason to skip it. ``known`` is
    false where the process has no such format, ``is_well`` where the machine failed it."""

    items: list[tuple[Page | None, Skipped | None]] = []
    known: bool = True
    is_well: bool = True


_REQUEST = msgspec.json.Decoder(Request)
_REPLY = msgspec.json.Decoder(Reply)


def packed_request(request: Request) -> bytes:
    """One line."""
    return msgspec.json.encode(request) + b"\n"


def unpacked_request(line: bytes) -> Request:
    """Read what ``packed_request`` wrote."""
    return _REQUEST.decode(line)


def packed_reply(
    items: Iterable[Page | Skipped], *, known: bool = True, is_well: bool = True
) -> bytes:
    """One line with everything that was read."""
    reply = Reply(
        [(None, i) if isinstance(i, Skipped) else (i, None) for i in items], known, is_well
    )
    return msgspec.json.encode(reply) + b"\n"


def unpacked_reply(line: bytes) -> list[Page | Skipped] | None:
    """The items of a reply; None if the format was not known. A ``ValueError`` if it is no
    reply, an ``OSError`` if the machine failed."""
    reply = _REPLY.decode(line)
    if not reply.is_well:
        raise OSError("the machine failed while a document was read")
    return [item for pair in reply.items for item in pair if item] if reply.known else None


MAY_BE_UNFIT = re.compile(rb"\\(?:u00|b|f)|\x7f|\xc2[\x80-\x9f]")
"""The forms that control characters have in JSON."""
UNFIT = {
    code: " " if chr(code).isspace() else "\ufffd"
    for code in (*range(32), *range(0x7F, 0xA0))
    if chr(code) not in "\t\n\r"
} | dict.fromkeys(range(0xD800, 0xE000), "?")
"""Control characters and halves of surrogate pairs, which no reader should be given. One sign
stands for one, and space for space, so that every offset holds."""
Parsed = TypeVar("Parsed", bound=Page | Skipped)


def _cleaned(item: Parsed, file: str) -> Parsed:
    """What a parser gave, without signs that are no text; the file keeps the name that it has."""
    with suppress(UnicodeEncodeError):
        if not MAY_BE_UNFIT.search(msgspec.json.encode(item)):
            return item
    return msgspec.convert(_fit(msgspec.to_builtins(item), file), type(item))


def _fit(value: Any, file: str) -> Any:
    match value:
        case str():
            return value if value == file else value.translate(UNFIT)
        case dict():
            return {_fit(key, file): _fit(inner, file) for key, inner in value.items()}
        case list() | tuple():
            return [_fit(inner, file) for inner in value]
    return value


LONGEST_REASON = 300


def parsed_items(parse: ParseFile, entry: Entry) -> Iterator[Page | Skipped]:
    """The pages of a file; where its parser fails, why it was skipped.

    Where the machine fails, that is raised: it says nothing about the file.
    """
    for item in _parsed(parse, entry):
        yield _cleaned(item, entry.name)


def _parsed(parse: ParseFile, entry: Entry) -> Iterator[Page | Skipped]:
    try:
        yield from parse(entry)
    except LacunaError as error:
        yield Skipped(entry.name, str(error).rstrip("."))
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        told = f"it needs {name}, which is not installed; install it with: pip install {name}"
        yield Skipped(entry.name, told, lacks=name)
    except MemoryError:
        yield Skipped(entry.name, "reading it needs too much memory; split it")
    except Exception as error:
        if is_of_the_system(error):
            raise
        # One bad file must not keep the others from being read
        told = f"reading it failed ({type(error).__name__}: {error})"
        yield Skipped(entry.name, told[:LONGEST_REASON])


MOST_REPLIED = 1 << 30
"""Bytes that a document may become."""
CLOCK_TIMES = 4.0
"""As long as it may work on a document may it take by the clock: the machine has other work too."""
STARTING_SECONDS = 60.0
"""That it may take to start, on a slow disk."""
OUT_OF_TIME = -getattr(signal, "SIGPROF", 0) or None
"""The exit code of a process that has worked for too long; Windows has no such way."""
LAST_SECONDS = 2.0
"""That are left for a reply when it is asked for late: it may wait in a pipe that is full."""
READY = b"ready\n"
"""What a process says when it has started: what ends it before says nothing about a document."""
FAILED = 3
"""The exit code of a process that cannot be talked with."""
START = "from lacuna.corpus.formats.isolated_worker import main; main()"

Items = list[Page | Skipped]


class Ending(StrEnum):
    """The reason why a process gave no reply."""

    SLOW = "slow"
    BROKEN = "broken"
    FAILED = "failed"
    """The machine is the reason: it could not start, or not be talked with."""


class ReadingFailedError(LacunaError):
    """Documents cannot be read now, whichever they are."""

    def __init__(self) -> None:
        super().__init__(
            "The process that reads documents could not be started, or failed: memory, files or "
            "disk space may be short. What was committed before is safe; mend the cause and run "
            "it again."
        )


class ReadingProcess:
    """Reads one document at a time; after an ``Ending`` it is gone."""

    def __init__(self) -> None:
        self.is_fresh = True
        """True if it has read nothing yet: then no document before can be to blame."""
        self._has_started = False
        self._deadline = 0.0
        self._process = talking_child(code_command(START))

    @property
    def is_alive(self) -> bool:
        """True if it can be given a document."""
        return self._process.poll() is None

    def begin(self, known: str, entry: Entry, seconds: float) -> None:
        """Give it a file in a format, and how long it may work on it; ``result`` must follow."""
        starting = STARTING_SECONDS if self.is_fresh else 0.0
        self._deadline = monotonic() + starting + CLOCK_TIMES * seconds
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(BrokenPipeError):  # it is gone, which the result says
            stdin.write(packed_request(Request(known, entry.name, len(entry.data), seconds)))
            stdin.write(entry.data)
            stdin.flush()

    def result(self) -> Items | Ending | None:
        """The pages of the file; None where the process does not know its format."""
        left = max(LAST_SECONDS, self._deadline - monotonic())
        late = threading.Event()
        timer = threading.Timer(left, self._stop, (late,))
        timer.start()
        try:
            return self._reply()
        except (OSError, ValueError) as error:
            self.close()
            if not self._has_started:
                return Ending.FAILED
            if late.is_set() or self._process.returncode == OUT_OF_TIME:
                return Ending.SLOW
            failed = isinstance(error, OSError) or self._process.returncode == FAILED
            return Ending.FAILED if failed else Ending.BROKEN
        except BaseException:  # interrupted: the reply would be taken for that to the next one
            self.close()
            raise
        finally:
            timer.cancel()
            self.is_fresh = False

    def close(self) -> None:
        """End it, whatever it does."""
        end_child(self._process)

    def _stop(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _reply(self) -> Items | None:
        assert self._process.stdout is not None
        if not self._has_started:
            self._has_started = self._process.stdout.readline(len(READY)) == READY
        reply = self._process.stdout.readline(MOST_REPLIED)
        if not reply.endswith(b"\n"):
            raise ValueError("it ended in the middle of a reply")
        return unpacked_reply(reply)


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


class IsolatedReading:
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
        # Perhaps by an earlier file, or by something that has passed.
        if result is Ending.FAILED or (result is Ending.BROKEN and again):
            process = self._begin(ReadingProcess())
            result = process.result()
        self._process = None
        if result is Ending.FAILED:
            raise ReadingFailedError
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


class FileReading(Protocol):
    """A file that is being read, perhaps elsewhere."""

    def items(self) -> Sequence[Page | Skipped]:
        """Its pages, as soon as they are there; can be asked for once."""
        ...

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        ...


class ReadsIsolated(Protocol):
    """Reads files somewhere else than in this process."""

    def begin(self, known: DocumentFormat, entry: Entry) -> FileReading:
        """Let a file be read."""
        ...

    def is_busy(self, begun: int) -> bool:
        """Tell if it is enough for now, where so many were begun and not yet asked for."""
        ...


_in_charge: ContextVar[ReadsIsolated | None] = ContextVar("reads isolated", default=None)


def begin_isolated(known: DocumentFormat, entry: Entry) -> FileReading:
    """Let a file be read by whoever is in charge."""
    reads = _in_charge.get()
    return IsolatedReading(known, entry) if reads is None else reads.begin(known, entry)


def is_busy(begun: int, usual: int) -> bool:
    """Tell if no more should begin now; ``usual`` is how many processes of this machine take."""
    reads = _in_charge.get()
    return begun >= usual if reads is None else reads.is_busy(begun)


@contextmanager
def reading_by(reads: ReadsIsolated) -> Iterator[None]:
    """Someone else is in charge while the block runs."""
    before = _in_charge.set(reads)
    try:
        yield
    finally:
        _in_charge.reset(before)


FILES_AHEAD = max(1, min(3, (os.cpu_count() or 1) - 1))
"""One process reads each of them; writing needs a processor too."""


class Begun(Protocol):
    """Work that was begun, and goes on elsewhere."""

    def finish(self) -> None:
        """Wait until it is done."""
        ...

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        ...


Item = TypeVar("Item")
Work = TypeVar("Work", bound=Begun)


def read_ahead(
    items: Iterable[Item], begin: Callable[[Item], Work]
) -> Generator[tuple[Item, Work], None, None]:
    """Each item with what was begun for it and is finished, in order.

    Where the items break off with an error, such as an archive that is damaged, those before that
    place are given first.
    """
    going_on: deque[tuple[Item, Work]] = deque()
    finished: list[tuple[Item, Work]] = []
    problem: LacunaError | None = None
    try:
        try:
            for item in items:
                going_on.append((item, begin(item)))
                yield from finished
                finished.clear()
                if is_busy(len(going_on), FILES_AHEAD):
                    finished.append(_oldest(going_on))
        except ReadingFailedError:
            raise
        except LacunaError as error:
            problem = error
        yield from finished
        while going_on:
            yield _oldest(going_on)
    finally:
        for _, work in going_on:
            work.abandon()
    if problem is not None:
        raise problem


def _oldest(going_on: deque[tuple[Item, Work]]) -> tuple[Item, Work]:
    going_on[0][1].finish()  # it stays there until it is: whatever happens, it can be abandoned
    return going_on.popleft()


class _BegunPiece:
    """The outcome of one piece: at once, or as soon as it is read."""

    def __init__(self, known: DocumentFormat, piece: Entry | SourceItem) -> None:
        self._reading = begin_isolated(known, piece) if isinstance(piece, Entry) else None
        self.items: list[SourceItem] = [] if isinstance(piece, Entry) else [piece]

    def finish(self) -> None:
        if self._reading is not None:
            for item in self._reading.items():
                self.items.append(item if isinstance(item, Skipped) else item.document)

    def abandon(self) -> None:
        if self._reading is not None:
            self._reading.abandon()


def read_pieces(
    known: DocumentFormat, pieces: Iterable[Entry | SourceItem]
) -> Iterator[SourceItem]:
    """The items of the pieces, in order; what needs no reading is given as it is."""
    with closing(read_ahead(pieces, partial(_BegunPiece, known))) as ahead:
        for _, begun in ahead:
            yield from begun.items
