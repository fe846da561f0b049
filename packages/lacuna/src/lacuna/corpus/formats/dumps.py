"""Dumps of articles as JSON lines, JSON or Parquet, and dumps in parts."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lacuna.corpus.formats import mediawiki
from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.entries import Entry, paths_in
from lacuna.corpus.formats.html import html_document
from lacuna.corpus.formats.isolated_worker import find_format
from lacuna.corpus.formats.isolation import IsolatedReading, read_pieces
from lacuna.corpus.formats.mediawiki import Streams, index_of, pieces_of_streams, streams_of
from lacuna.corpus.formats.opening import (
    DAMAGED,
    HowFar,
    damaged,
    nobody_asks,
    not_utf8,
    open_packed,
    open_packed_text,
)
from lacuna.corpus.formats.plain import verbatim_document
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.corpus.titles import split_fragment, wiki_title
from lacuna.errors import BadField, LacunaError, needs, shown
from lacuna.files.json import LARGEST_VALUE, JsonItems, RawItem, Shape, line_items
from lacuna.types import Document, Link, Section, Span

ADDRESS = re.compile(r"[a-z]+://", re.IGNORECASE)


def read_iirc_articles(path: Path) -> Iterator[SourceItem]:
    """The articles, one by one; links lead to lower-case titles, as the articles have them."""
    return read_pieces(IIRC_ARTICLE, pieces_of_dump(path))


def pieces_of_dump(path: Path) -> Iterator[Entry | SourceItem]:
    """The articles before they are read."""
    with open_packed_text(path) as source:
        for item in JsonItems(source, Shape.MAP):
            title = item.key or ""
            if item.problem is not None:
                yield Skipped(title, str(item.problem))
            elif not isinstance(item.value, str):
                yield Skipped(title, f"expected a text, found {shown(item.value)}")
            else:
                yield Entry(title, item.value.encode(errors="surrogatepass"))


def _parse_article(entry: Entry) -> Iterator[Page | Skipped]:
    text = entry.data.decode(errors="surrogatepass")
    if "<p" not in text:
        text = text.replace("\n", "<p>")  # where no paragraph is marked, each line is one
    document = html_document(entry.name, text, _resolve)
    yield Page(entry.name, document) if document.text else Skipped(entry.name, "it has no text")


IIRC_ARTICLE = DocumentFormat("iirc article", parse=_parse_article)


def _resolve(href: str) -> tuple[str, str] | None:
    if ADDRESS.match(href):
        return None
    target, fragment = split_fragment(href)
    title = " ".join(unquote(target).replace("_", " ").split()).lower()
    return (title, fragment) if title else None


OWN_FIELDS = frozenset(("title", "text", "links"))


def read_jsonl(path: Path) -> Iterator[SourceItem]:
    """One document a line: ``{"title": …, "text": …, "links": [{"start", "end", "target"}]}``."""
    with open_packed_text(path) as source:
        for item in JsonItems(source, Shape.LINES):
            yield item_of_line(path.name, item, document_of_line)


def item_of_line(
    file: str, item: RawItem, build: Callable[[dict[str, Any]], Document], unit: str = "line"
) -> SourceItem:
    """The item of one line; a line that is not as it should be is skipped."""
    where = f"{file}, {unit} {item.number}"
    try:
        if item.problem is not None:
            raise item.problem
        if not isinstance(item.value, dict):
            raise BadField(unit, "an object", shown(item.value))
        document = build(item.value)
    except BadField as problem:
        return Skipped(where, str(problem))
    return document if document.text.strip() else Skipped(where, "it has no text")


def field_of_text(value: dict[str, Any], name: str) -> str:
    """A field that must be a text."""
    if not isinstance(text := value.get(name), str):
        raise BadField(name, "a text", shown(text))
    return text


def document_of_line(value: dict[str, Any]) -> Document:
    """The document of one line."""
    title, text = field_of_text(value, "title"), field_of_text(value, "text")
    if not title.strip():
        raise BadField("title", "a title", "an empty text")
    written = value.get("links") or []
    if not isinstance(written, list):
        raise BadField("links", "a list", shown(written))
    links = tuple(_link(link, f"links[{number}]", text) for number, link in enumerate(written))
    extra = {name: value for name, value in value.items() if name not in OWN_FIELDS}
    return verbatim_document(title, text, links, extra)


def _link(value: Any, where: str, text: str) -> Link:
    match value:
        case {"start": int(start), "end": int(end), "target": str(target)} if target.strip():
            if not 0 <= start < end <= len(text):
                raise BadField(where, f"a place in {len(text)} characters", f"{start} to {end}")
            return Link(start, end, target, str(value.get("fragment") or ""))
        case _:
            raise BadField(where, "an object with start, end and target", shown(value))


# HotpotQA's Wikipedia dumps: JSON lines of sentences, with links as HTML anchors.
#
# Sentences stay as the dump has them, space and all: supporting facts count them.


ANCHOR = re.compile(r'<a href="([^"<>]*)">([^<>]*)</a>')
TAG = re.compile(r"</?a\b[^<>]*>")
SUFFIXES = (".bz2", ".jsonl", ".jsonl.gz", ".json")
EXTRA = ("id", "_id", "url", "metadata")


def is_dump_part(name: str) -> bool:
    """Tell if a file in the folder of a dump is a part of it."""
    return name.lower().endswith(SUFFIXES)


def read_hotpot_abstracts(path: Path) -> Iterator[SourceItem]:
    """The articles of a dump: one file, or a folder of ``wiki_00.bz2`` and the like."""
    for part in parts_of_dump(path):
        with open_packed_text(part) as source:
            for item in JsonItems(source, Shape.LINES):
                yield item_of_line(part.name, item, abstract_of_line)


def parts_of_dump(path: Path) -> Iterator[Path]:
    """The files of a dump."""
    empty = True
    for part in paths_in(path, is_dump_part) if path.is_dir() else iter((path,)):
        empty = False
        yield part
    if empty:
        raise LacunaError(f"{path} holds no .bz2 or .jsonl files. Give the folder of the dump.")


def abstract_of_line(value: dict[str, Any]) -> Document:
    """The document of one line."""
    title = unescape(field_of_text(value, "title"))
    extra = {name: value[name] for name in EXTRA if name in value}
    written = value.get("text_with_links") or value.get("sentences") or value.get("text")
    if isinstance(written, str):
        return verbatim_document(title, written, (), extra)
    if not isinstance(written, list):
        raise BadField("text", "a list of sentences", shown(written))
    paragraphs = written if written and isinstance(written[0], list) else [written]
    if paragraphs and paragraphs[0] == [title] and len(paragraphs) > 1:
        paragraphs = paragraphs[1:]  # the full dumps begin with the title
    return _Sentences(title).document(paragraphs, extra)


class _Sentences:
    """Joins sentences to a text and keeps where each of them, and each link, came to stand."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._parts: list[str] = []
        self._size = 0
        self._links: list[Link] = []

    def document(self, paragraphs: list[Any], extra: dict[str, Any]) -> Document:
        sentences: list[Span] = []
        spans: list[Span] = []
        for number, paragraph in enumerate(paragraphs):
            if not isinstance(paragraph, list):
                raise BadField(f"text[{number}]", "a list of sentences", shown(paragraph))
            if self._size:
                self._put("\n\n")
            start = self._size
            for sentence in paragraph:
                if not isinstance(sentence, str):
                    raise BadField(f"text[{number}]", "sentences", shown(sentence))
                before = self._size
                self._add(sentence)
                sentences.append(Span(before, self._size))
            spans.append(Span(start, self._size))
        whole = (Section((self._title,), 0, self._size),)
        text = "".join(self._parts)
        links = tuple(self._links)
        return Document(self._title, text, tuple(sentences), links, tuple(spans), whole, extra)

    def _add(self, sentence: str) -> None:
        at = 0
        for anchor in ANCHOR.finditer(sentence):
            self._put(TAG.sub("", sentence[at : anchor.start()]))
            at = anchor.end()
            start = self._size
            self._put(anchor[2])
            target, fragment = split_fragment(unquote(unescape(anchor[1])))
            if (title := wiki_title(target)) and self._size > start:
                self._links.append(Link(start, self._size, title, fragment))
        self._put(TAG.sub("", sentence[at:]))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)


MAGIC = b"PAR1"
AT_ONCE = 256
"""Rows that are decoded together."""


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """Rows of a file as Arrow writes them to a stream; ``first`` is the number of the first."""

    file: str
    first: int
    data: bytes


def read_parquet(path: Path) -> Iterator[SourceItem]:
    """One document a row: columns ``title``, ``text`` and perhaps ``links``; others are kept."""
    first = 1
    for batch in _batches(path):
        yield from _items(path.name, first, batch)
        first += batch.num_rows


def rows_of(path: Path, wanted: int, how_far: HowFar = nobody_asks) -> Iterator[ParquetRows]:
    """All rows of a file, row group by row group, so many together that they have such a size."""
    waiting: list[Any] = []
    first, size = 1, 0
    for batch in _batches(path, how_far):
        waiting.append(batch)
        size += batch.nbytes
        if size >= wanted:
            yield _packed(path.name, first, waiting)
            first += sum(each.num_rows for each in waiting)
            waiting, size = [], 0
    if waiting:
        yield _packed(path.name, first, waiting)


def items_of_rows(part: ParquetRows) -> Iterator[SourceItem]:
    """The items of some rows."""
    import pyarrow as pa

    first = part.first
    for batch in pa.ipc.open_stream(part.data):
        yield from _items(part.file, first, batch)
        first += batch.num_rows


def _items(file: str, first: int, batch: Any) -> Iterator[SourceItem]:
    for number, row in enumerate(batch.to_pylist(), first):
        value = json.loads(json.dumps(row, default=str))  # dates and the like are kept as texts
        yield item_of_line(file, RawItem(number, value), document_of_line, "row")


def _packed(file: str, first: int, batches: list[Any]) -> ParquetRows:
    import pyarrow as pa

    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, batches[0].schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
    return ParquetRows(file, first, out.getvalue().to_pybytes())


def _batches(path: Path, how_far: HowFar = nobody_asks) -> Iterator[Any]:
    with _telling(path):
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            if missing := {"title", "text"} - set(file.schema_arrow.names):
                raise LacunaError(
                    f"{path} has no column {min(missing)!r}: a row must have a title and a text. "
                    f"Its columns are {', '.join(file.schema_arrow.names[:20])}."
                )
            size, rows = path.stat().st_size, 0
            for group in range(file.num_row_groups):
                for batch in file.iter_batches(AT_ONCE, row_groups=[group]):
                    rows += batch.num_rows
                    how_far(size * rows // file.metadata.num_rows)
                    yield batch


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        with needs("parquet", f"{path}"):
            yield
    except (OSError, ValueError) as error:  # pyarrow's errors are kinds of these
        first = str(error).partition("\n")[0]
        raise LacunaError(
            f"{path} cannot be read as Parquet ({first}); it is cut off or damaged. Get it again; "
            "what was committed before is safe."
        ) from error


# Dumps in parts that can be read apart from each other, such as on several machines.
#
# A part holds the bytes that it is made from, so that only who takes a dump apart needs its file.


PART_BYTES = 2 << 20
"""The size of a part of a large dump, or a little less."""
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
    "hotpot": (parts_of_dump, abstract_of_line),
    "jsonl": (lambda path: iter((path,)), document_of_line),
}
"""The files of a dump of lines, and what one line becomes."""
PIECES: dict[str, tuple[DocumentFormat, Callable[[Path, HowFar], Iterator[Entry | SourceItem]]]] = {
    "mediawiki": (mediawiki.WIKITEXT_PAGE, mediawiki.pieces_of_dump),
    "iirc": (
        IIRC_ARTICLE,
        lambda path, _: pieces_of_dump(path),  # small: nobody asks how far it is
    ),
}

PARQUET, MEDIAWIKI = "parquet", "mediawiki"


def has_parts(dump: DocumentFormat) -> bool:
    """Tell if dumps in a format can be read in parts."""
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
    """The items of a part, as reading the whole dump would give it."""
    if isinstance(part, Lines):
        _, build = LINES[part.format]
        text = io.TextIOWrapper(io.BytesIO(part.data), encoding="utf-8", newline="")
        try:
            for line in line_items(text, part.first):
                yield item_of_line(part.file, line, build)
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
        for item in IsolatedReading(known, piece).items():
            yield item if isinstance(item, Skipped) else item.document


def size_on_disk(path: Path) -> int:
    """The last value of ``how_far``, or a little less than that."""
    files = paths_in(path, bool) if path.is_dir() else iter((path,))
    return sum(file.stat().st_size for file in files)


def split_of(path: Path) -> str:
    """The numbers that the parts of a dump depend on beside the dump itself."""
    index = index_of(path)
    return "" if index is None else f"{index.stat().st_size} bytes of index"


def part_bytes(path: Path) -> int:
    """The size of the parts of a dump, by its size on the disk: always the same of the same."""
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
