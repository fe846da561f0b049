"""MediaWiki dumps in many compressed streams, with the index that says where each begins.

``…-pages-articles-multistream.xml.bz2`` is a stream for the beginning, one for every hundred pages
and one for the end; ``…-multistream-index.txt.bz2`` beside it has a line ``offset:page:title`` for
every page. So pages can be read from any stream on, without those before it.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lacuna.corpus.formats.dumps.mediawiki import ARTICLES, CHUNK, DumpPage, DumpParser, piece_of
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.packed import DAMAGED, HowFar, damaged, nobody_asks, open_packed
from lacuna.corpus.source_item import SourceItem
from lacuna.errors import LacunaError

NAMED = re.compile(r"-multistream(\d*)\.xml(.*)\.bz2$")
BEGINS = b"BZh"
CLOSES = b"</mediawiki>"


@dataclass(frozen=True, slots=True)
class Streams:
    """Some streams of a dump, compressed, with what the dump begins with."""

    file: str
    head: bytes
    data: bytes
    closed: bool
    """Whether they hold the end of the dump."""


def index_of(path: Path) -> Path | None:
    """The index of a dump that has many streams; None where there is none."""
    index = path.with_name(NAMED.sub(r"-multistream-index\1.txt\2.bz2", path.name))
    return index if NAMED.search(path.name) and index.is_file() else None


def streams_of(
    path: Path, index: Path, wanted: int, how_far: HowFar = nobody_asks
) -> Iterator[Streams]:
    """All streams of a dump, so many together that they have as many compressed bytes."""
    offsets = _offsets(index)
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            begin = offsets[0] if offsets else size
            try:
                head = bz2.decompress(file.read(begin))
            except (OSError, ValueError) as error:
                raise _unfit(path, index) from error
            for end in (*offsets[1:], size):
                if end == begin or (end - begin < wanted and end < size):
                    continue
                file.seek(begin)
                data = file.read(end - begin)
                if not data.startswith(BEGINS):
                    raise _unfit(path, index)
                how_far(end)
                yield Streams(path.name, head, data, closed=end == size)
                begin = end
            if not offsets:
                yield Streams(path.name, head, b"", closed=True)
    except DAMAGED as error:
        raise damaged(path, error) from error


def pieces_of_streams(part: Streams) -> Iterator[Entry | SourceItem]:
    """The pages of some streams before their text is read, as those of the whole dump."""
    parser = DumpParser(Path(part.file))
    return (piece_of(page, ARTICLES, parser) for page in _pages(part, parser))


def _pages(part: Streams, parser: DumpParser) -> Iterator[DumpPage]:
    yield from parser.feed(part.head)
    left = part.data
    try:
        while left:
            stream = bz2.BZ2Decompressor()
            while not stream.eof:
                if not left and stream.needs_input:
                    raise EOFError("a compressed stream has no end")
                yield from parser.feed(stream.decompress(left, CHUNK))
                left = b""
            left = stream.unused_data
    except DAMAGED as error:
        raise damaged(Path(part.file), error) from error
    if not part.closed:
        yield from parser.feed(CLOSES)
    yield from parser.close()


def _offsets(index: Path) -> list[int]:
    """Where streams with pages begin."""
    found: list[int] = []
    try:
        with open_packed(index) as lines:
            for number, line in enumerate(lines, 1):
                written = line.partition(b":")[0]
                if not written.isdigit():
                    raise LacunaError(
                        f"{index}, line {number} does not begin with an offset, so it is no index "
                        "of a dump. Get it again, or take it away: the dump can be read without."
                    )
                if not found or found[-1] != int(written):
                    found.append(int(written))
    except DAMAGED as error:
        raise damaged(index, error) from error
    return sorted(set(found))


def _unfit(path: Path, index: Path) -> LacunaError:
    return LacunaError(
        f"{index} does not fit {path}: no stream begins where it says. Get both of one date, or "
        "take the index away: the dump can be read without."
    )
