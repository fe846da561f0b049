"""Dumps, piece by piece: each is read apart while the next ones are taken out of the dump."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial

from lacuna.corpus.formats.apart.ahead import read_ahead
from lacuna.corpus.formats.apart.begin import begin_apart
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.source_item import Skipped, SourceItem


class _BegunPiece:
    """What became of one piece: at once, or as soon as it is read."""

    def __init__(self, known: DocumentFormat, piece: Entry | SourceItem) -> None:
        self._reading = begin_apart(known, piece) if isinstance(piece, Entry) else None
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
    """What the pieces hold, in order; what needs no reading is given as it is."""
    with closing(read_ahead(pieces, partial(_BegunPiece, known))) as ahead:
        for _, begun in ahead:
            yield from begun.items
