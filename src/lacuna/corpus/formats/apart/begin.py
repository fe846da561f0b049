"""Who reads files apart: processes of this machine, or for a while others, such as a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from lacuna.corpus.formats.apart.reading import ApartReading
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped


class FileReading(Protocol):
    """A file that is being read, perhaps elsewhere."""

    def items(self) -> Sequence[Page | Skipped]:
        """Its pages, as soon as they are there; can be asked for once."""
        ...

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        ...


class ReadsApart(Protocol):
    """Reads files somewhere else than in this process."""

    def begin(self, known: DocumentFormat, entry: Entry) -> FileReading:
        """Let a file be read."""
        ...

    def is_busy(self, begun: int) -> bool:
        """Whether it is enough for now, where so many were begun and not yet asked for."""
        ...


_in_charge: ContextVar[ReadsApart | None] = ContextVar("reads apart", default=None)


def begin_apart(known: DocumentFormat, entry: Entry) -> FileReading:
    """Let a file be read by whoever is in charge."""
    reads = _in_charge.get()
    return ApartReading(known, entry) if reads is None else reads.begin(known, entry)


def is_busy(begun: int, usual: int) -> bool:
    """Whether to begin no more for now; ``usual`` is how many processes of this machine take."""
    reads = _in_charge.get()
    return begun >= usual if reads is None else reads.is_busy(begun)


@contextmanager
def reading_by(reads: ReadsApart) -> Iterator[None]:
    """Someone else is in charge while the block runs."""
    before = _in_charge.set(reads)
    try:
        yield
    finally:
        _in_charge.reset(before)
