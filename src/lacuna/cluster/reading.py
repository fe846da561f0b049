"""Files that are read on a cluster: the same pages as here, from as many machines as there are.

This machine loads files, or takes a dump apart, and sends what it has in batches; the workers
parse, each file in a process of its own as ever. Nobody but this machine needs the source.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from lacuna.cluster.connection import Cluster
from lacuna.cluster.crew import judged
from lacuna.cluster.job import Finished, Task
from lacuna.cluster.staff import Staff
from lacuna.corpus.formats.apart.reading import ApartReading
from lacuna.corpus.formats.apart.wire import packed_reply, unpacked_reply
from lacuna.corpus.formats.apart.worker import find_format
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped

BATCH_FILES = 32
BATCH_BYTES = 256 << 10
"""A batch is sent when it has so many files or bytes."""
MOST_FILES = 4096
MOST_BYTES = 64 << 20
"""That are on their way at most: so much of a source is in memory."""
DEPTH = 2
"""Batches that a worker has: it reads one while the results of the other are written."""

Items = Sequence[Page | Skipped]


@dataclass(frozen=True, slots=True)
class _Request:
    number: int
    format: str
    entry: Entry


Batch = list[_Request]
Replies = list[bytes | None]


class _OpenedReading:
    def work(self, item: Batch) -> Replies:
        """The pages of each file; None where its format is known only where it came from."""
        return [_read(request) for request in item]


def _read(request: _Request) -> bytes | None:
    known = find_format(request.format)
    return None if known is None else packed_reply(ApartReading(known, request.entry).items())


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """Needs nothing that is not sent along."""

    @contextmanager
    def open(self) -> Iterator[_OpenedReading]:
        """Nothing has to be loaded."""
        yield _OpenedReading()

    def halves(self, item: Batch) -> tuple[Batch, Batch] | None:
        """A file is never split."""
        middle = len(item) // 2
        return (item[:middle], item[middle:]) if middle else None


class ReadingOnCluster:
    """Reads files on the workers of a cluster; use it in a ``with`` block."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._job = ReadingJob()
        self._hired: Staff[Batch] | None = None
        self._batch: Batch = []
        self._waiting: deque[Task[Batch]] = deque()
        self._replies: dict[int, bytes | Skipped | None] = {}
        self._begun = self._bytes = 0

    def __enter__(self) -> ReadingOnCluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._hired is not None:
            self._hired.dismiss()

    @property
    def _staff(self) -> Staff[Batch]:
        """Hired when there is something to read: others may need the machines before."""
        if self._hired is None:
            self._hired = Staff(self._cluster, self._job, cpus=1, gpus=0, depth=DEPTH)
        return self._hired

    def begin(self, known: DocumentFormat, entry: Entry) -> ClusterReading:
        """Let a file be read with the next batch."""
        self._begun += 1
        self._bytes += len(entry.data)
        self._batch.append(_Request(self._begun, known.name, entry))
        full = sum(len(request.entry.data) for request in self._batch) >= BATCH_BYTES
        if full or len(self._batch) >= BATCH_FILES:
            self._send()
        return ClusterReading(self, self._begun, known, entry)

    def is_busy(self, begun: int) -> bool:
        """Whether as much is on its way as memory should hold."""
        return begun >= MOST_FILES or self._bytes >= MOST_BYTES

    def reply(self, number: int, entry: Entry) -> bytes | Skipped | None:
        """What a file gave, as soon as it is there."""
        if any(request.number == number for request in self._batch):
            self._send()
        while number not in self._replies:
            self._advance()
        self.forget(entry)
        return self._replies.pop(number)

    def forget(self, entry: Entry) -> None:
        """It is no longer on its way."""
        self._bytes -= len(entry.data)

    def _send(self) -> None:
        self._waiting.append(Task(self._begun, self._batch))
        self._batch = []
        self._staff.hand_out(self._waiting)

    def _advance(self) -> None:
        self._staff.hand_out(self._waiting)
        for task, outcome in self._staff.outcomes():
            finished: Finished[Batch, Replies] | list[Task[Batch]]
            finished = judged(self._job, task, outcome)
            if not isinstance(finished, Finished):
                self._waiting.extendleft(reversed(finished))  # the oldest are waited for
            elif finished.result is None:
                for request in finished.item:
                    told = f"reading it failed ({finished.reason})"
                    self._replies[request.number] = Skipped(request.entry.name, told)
            else:
                numbers = (request.number for request in finished.item)
                self._replies |= zip(numbers, finished.result, strict=True)
        self._staff.hand_out(self._waiting)


class ClusterReading:
    """One file that is being read on a cluster."""

    def __init__(
        self, reading: ReadingOnCluster, number: int, known: DocumentFormat, entry: Entry
    ) -> None:
        self._reading, self._number = reading, number
        self._known, self._entry = known, entry

    def items(self) -> Items:
        """The pages of the file, or why it was skipped; can be asked for once."""
        reply = self._reading.reply(self._number, self._entry)
        if reply is None:  # a package that the machines of the cluster do not have
            return ApartReading(self._known, self._entry).items()
        return [reply] if isinstance(reply, Skipped) else unpacked_reply(reply) or []

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        self._reading.forget(self._entry)
