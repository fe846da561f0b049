"""Dumps in parts that can be read apart from each other, such as on several machines.

A part holds the bytes that it is made from, so that only who takes a dump apart needs its file.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lacuna.corpus.formats.apart.reading import ApartReading
from lacuna.corpus.formats.apart.worker import find_format
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.dumps import hotpot_abstracts, iirc_articles, jsonl, mediawiki
from lacuna.corpus.formats.dumps.multistream import (
    Streams,
    index_of,
    pieces_of_streams,
    streams_of,
)
from lacuna.corpus.formats.dumps.parquet import ParquetRows, items_of_rows, rows_of
from lacuna.corpus.formats.entries import Entry, paths_in
from lacuna.corpus.formats.packed import (
    DAMAGED,
    HowFar,
    damaged,
    nobody_asks,
    not_utf8,
    open_packed,
)
from lacuna.corpus.source_item import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.files.json_decode import LARGEST_VALUE
from lacuna.files.json_stream import line_items
from lacuna.types import Document

PART_BYTES = 2 << 20
"""That a part of a large dump has, or a little more."""
SMALLEST_PART = 256 << 10
FEWEST_PARTS = 16
"""Of a smaller dump: with few of them, some machines would wait for others in the end."""
PACKED_TO = 4
"""Bytes of a wiki's text that one compressed byte stands for."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file of a dump, of which ``first`` is the number of the first."""

    format: str
    file: str
    first: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pages of a dump as they are written there, and what needs no reading."""

    format: str
    pieces: tuple[Entry | SourceItem, ...]


DumpPart = Lines | Pieces | Streams | ParquetRows

LINES: dict[str, tuple[Callable[[Path], Iterator[Path]], Callable[[dict[str, Any]], Document]]] = {
    "hotpot": (hotpot_abstracts.parts_of_dump, hotpot_abstracts.document_of_line),
    "jsonl": (lambda path: iter((path,)), jsonl.document_of_line),
}
"""The files of a dump of lines, and what one line becomes."""
PIECES: dict[str, tuple[DocumentFormat, Callable[[Path, HowFar], Iterator[Entry | SourceItem]]]] = {
    "mediawiki": (mediawiki.WIKITEXT_PAGE, mediawiki.pieces_of_dump),
    "iirc": (
        iirc_articles.IIRC_ARTICLE,
        lambda path, _: iirc_articles.pieces_of_dump(path),  # small: nobody asks how far it is
    ),
}


PARQUET, MEDIAWIKI = "parquet", "mediawiki"


def has_parts(dump: DocumentFormat) -> bool:
    """Whether dumps in a format can be read in parts."""
    return dump.name in (*LINES, *PIECES, PARQUET)


def parts_of(dump: DocumentFormat, path: Path, how_far: HowFar = nobody_asks) -> Iterator[DumpPart]:
    """All parts of a dump, always the same in the same order."""
    if dump.name in LINES:
        files, _ = LINES[dump.name]
        before = 0
        for file in files(path):
            yield from _line_parts(dump.name, file, partial(_after, before, how_far))
            before += file.stat().st_size
        return
    if dump.name == PARQUET:
        yield from rows_of(path, part_bytes(path), how_far)
        return
    if dump.name == MEDIAWIKI and (index := index_of(path)) is not None:
        yield from streams_of(path, index, part_bytes(path) // PACKED_TO, how_far)
        return
    known, pieces = PIECES[dump.name]
    waiting: list[Entry | SourceItem] = []
    size = 0
    wanted = part_bytes(path)
    for piece in pieces(path, how_far):
        waiting.append(piece)
        size += len(piece.data) if isinstance(piece, Entry) else 100
        if size >= wanted:
            yield Pieces(known.name, tuple(waiting))
            waiting, size = [], 0
    if waiting:
        yield Pieces(known.name, tuple(waiting))


def _after(before: int, how_far: HowFar, read: int) -> None:
    how_far(before + read)


def items_of(part: DumpPart) -> Iterator[SourceItem]:
    """What a part holds, as reading the whole dump would give it."""
    if isinstance(part, Lines):
        _, build = LINES[part.format]
        text = io.TextIOWrapper(io.BytesIO(part.data), encoding="utf-8", newline="")
        try:
            for line in line_items(text, part.first):
                yield jsonl.item_of_line(part.file, line, build)
        except UnicodeDecodeError as error:
            raise not_utf8(part.file, error) from error
        return
    if isinstance(part, ParquetRows):
        yield from items_of_rows(part)
        return
    if isinstance(part, Streams):
        yield from read_pieces_here(mediawiki.WIKITEXT_PAGE, pieces_of_streams(part))
        return
    known = find_format(part.format)
    assert known is not None
    yield from read_pieces_here(known, part.pieces)


def read_pieces_here(
    known: DocumentFormat, pieces: Iterable[Entry | SourceItem]
) -> Iterator[SourceItem]:
    """The documents of pieces, one after the other: many parts are read at once already."""
    for piece in pieces:
        if not isinstance(piece, Entry):
            yield piece
            continue
        for item in ApartReading(known, piece).items():
            yield item if isinstance(item, Skipped) else item.document


def size_on_disk(path: Path) -> int:
    """What ``how_far`` comes to in the end, or a little less than that."""
    files = paths_in(path, bool) if path.is_dir() else iter((path,))
    return sum(file.stat().st_size for file in files)


def split_of(path: Path) -> str:
    """What the parts of a dump depend on beside the dump itself."""
    index = index_of(path)
    return "" if index is None else f"{index.stat().st_size} bytes of index"


def part_bytes(path: Path) -> int:
    """How large the parts of a dump are, by its size on the disk: always the same of the same."""
    size = path.stat().st_size if path.is_file() else PART_BYTES * FEWEST_PARTS
    return min(PART_BYTES, max(SMALLEST_PART, size // FEWEST_PARTS))


def _line_parts(dump: str, file: Path, how_far: HowFar) -> Iterator[Lines]:
    first, rest, wanted = 1, b"", part_bytes(file)
    try:
        with file.open("rb") as raw, open_packed(file, raw) as source:
            while block := source.read(wanted):
                how_far(raw.tell())
                whole, newline, after = block.rpartition(b"\n")
                if not newline:
                    rest += block
                    if len(rest) > 4 * LARGEST_VALUE:
                        raise LacunaError(
                            f"{file}: line {first} is too long. Is it the right file?"
                        )
                    continue
                data = rest + whole + newline
                if first == 1:
                    data = data.removeprefix(BYTE_ORDER_MARK)
                yield Lines(dump, file.name, first, data)
                first += data.count(b"\n")
                rest = after
    except DAMAGED as error:
        raise damaged(file, error) from error
    if rest:
        yield Lines(dump, file.name, first, rest)
