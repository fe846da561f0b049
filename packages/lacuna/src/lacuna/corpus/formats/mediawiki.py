"""MediaWiki XML dumps, in one stream or many, page by page."""

from __future__ import annotations

import bz2
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.parsers import expat

from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import read_pieces
from lacuna.corpus.formats.opening import DAMAGED, HowFar, damaged, nobody_asks, open_packed
from lacuna.corpus.formats.wikitext import WikitextParser
from lacuna.corpus.page import Page
from lacuna.corpus.store import Redirect, Skipped, SourceItem
from lacuna.corpus.titles import split_fragment, wiki_title
from lacuna.errors import LacunaError

CHUNK = 1 << 18
ARTICLES = frozenset({0})
LARGEST_TEXT = 32 << 20
LARGEST_TOKEN = 8 << 20
"""Bytes of a tag or a comment, which the parser begins again with every chunk; a page's text comes
in small parts."""
WANTED = frozenset(("title", "ns", "text", "model", "namespace"))
REDIRECT = re.compile(r"\s*+#\s*+([^\W\d_]++)\s*+:?\s*+\[\[([^\[\]|\n]++)")
FILE_NAMESPACES = frozenset((-2, 6, 14))
"""MediaWiki's numbers for Media, File and Category, whatever a wiki calls them."""


def read_mediawiki(path: Path, *, namespaces: frozenset[int] = ARTICLES) -> Iterator[SourceItem]:
    """The pages of a dump in the given namespaces; those of others are skipped and counted.

    Redirects are given from all namespaces: they cost nothing, and shortcuts lead to articles.
    """
    return read_pieces(WIKITEXT_PAGE, pieces_of_dump(path, namespaces=namespaces))


def pieces_of_dump(
    path: Path, how_far: HowFar = nobody_asks, *, namespaces: frozenset[int] = ARTICLES
) -> Iterator[Entry | SourceItem]:
    """The pages before their text is read."""
    parser = DumpParser(path)
    return (piece_of(page, namespaces, parser) for page in _pages(path, parser, how_far))


def _pages(path: Path, parser: DumpParser, how_far: HowFar) -> Iterator[DumpPage]:
    try:
        with path.open("rb") as raw, open_packed(path, raw) as file:
            while chunk := file.read(CHUNK):
                how_far(raw.tell())
                yield from parser.feed(chunk)
    except DAMAGED as error:
        raise damaged(path, error) from error
    yield from parser.close()


def piece_of(
    page: DumpPage, namespaces: frozenset[int], parser: DumpParser
) -> Entry | Redirect | Skipped:
    """A page before its text is read, or what needs no reading."""
    if not page.title.strip():
        return Skipped("a page without a title", "nothing could lead to it")
    if page.redirect is not None:
        target, fragment = split_fragment(page.redirect)
        return Redirect(page.title, wiki_title(target), fragment)
    if page.namespace not in namespaces:
        return Skipped(page.title, f"it is in namespace {page.namespace}")
    if page.problem:
        return Skipped(page.title, page.problem)
    names = json.dumps([parser.file_namespaces, parser.namespaces])
    return Entry(page.title, f"{names}\n{page.text}".encode())


def _parse_page(entry: Entry) -> Iterator[Page | Skipped]:
    names, _, text = entry.data.decode().partition("\n")
    document = _wikitext_parser(names).document(entry.name, text)
    yield Page(entry.name, document) if document.text else Skipped(entry.name, "it has no text")


@lru_cache(maxsize=4)
def _wikitext_parser(names: str) -> WikitextParser:
    return WikitextParser(*json.loads(names))


WIKITEXT_PAGE = DocumentFormat("wikitext page", parse=_parse_page)
"""A page of a wiki: its text, and in a line before it what the wiki calls its namespaces."""


@dataclass(slots=True)
class DumpPage:
    """A page as the dump has it; ``problem`` says why its text cannot be read."""

    title: str = ""
    namespace: int = 0
    text: str = ""
    redirect: str | None = None
    problem: str = ""


class DumpParser:
    """Push bytes in, take pages out; what a document type could declare is refused."""

    def __init__(self, path: Path) -> None:
        self.namespaces: list[str] = []
        self.file_namespaces: list[str] = []
        self._path = path
        self._done: list[DumpPage] = []
        self._page: DumpPage | None = None
        self._element = ""
        self._key = 0
        self._characters: list[str] = []
        self._size = 0
        self._started = False
        self._place = -1
        self._waiting = 0  # bytes that the parser was given since it came to a new place
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        self._parser = parser

    def feed(self, data: bytes) -> Iterator[DumpPage]:
        """The pages that are complete with these bytes."""
        yield from self._parse(data, last=False)

    def close(self) -> Iterator[DumpPage]:
        """Check that the file is complete."""
        yield from self._parse(b"", last=True)

    def _parse(self, data: bytes, *, last: bool) -> Iterator[DumpPage]:
        problem: expat.ExpatError | None = None
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            problem = error
        done, self._done = self._done, []
        yield from done
        self._check_progress(len(data))
        if problem is not None:
            after = f" after the page {done[-1].title!r}" if done else ""
            raise LacunaError(
                f"{self._path} is not a whole MediaWiki dump: {expat.ErrorString(problem.code)} "
                f"in line {problem.lineno}{after}. The pages before it were read; "
                "get the file again, or mend that line."
            ) from problem

    def _check_progress(self, given: int) -> None:
        moved = self._parser.CurrentByteIndex != self._place
        self._place = self._parser.CurrentByteIndex
        self._waiting = 0 if moved else self._waiting + given
        if self._waiting > LARGEST_TOKEN:
            raise LacunaError(
                f"{self._path} has a tag or a comment of more than {LARGEST_TOKEN >> 20} MB in "
                f"line {self._parser.CurrentLineNumber}, which a MediaWiki dump never has. The "
                "pages before it were read; use a real dump."
            )

    def _refuse(self, *_: object) -> None:
        raise LacunaError(
            f"{self._path} declares a document type or entities, which a MediaWiki dump never "
            "does and which can be made to fill the memory. It was not read; use a real dump."
        )

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._started:
            self._started = True
            if name != "mediawiki":
                raise LacunaError(
                    f"{self._path} is XML, but it begins with <{name}> and not with <mediawiki>. "
                    "Give a MediaWiki dump (…-pages-articles.xml), or name the format."
                )
        if name == "page":
            self._page = DumpPage()
        elif name == "redirect" and self._page is not None:
            self._page.redirect = attributes.get("title", "")
        elif name == "namespace":
            self._key = _number(attributes.get("key", "0"))
        if name == "text" and self._page is not None and "deleted" in attributes:
            self._page.problem = "its text was deleted from the wiki"
        self._element = name if name in WANTED else ""
        self._characters.clear()
        self._size = 0

    def _add(self, text: str) -> None:
        if self._element:
            self._size += len(text)
            if self._size <= LARGEST_TEXT:
                self._characters.append(text)

    def _end(self, name: str) -> None:
        value = "".join(self._characters)
        page = self._page
        if name == "namespace" and value:
            (self.file_namespaces if self._key in FILE_NAMESPACES else self.namespaces).append(
                value
            )
        elif page is not None:
            if name == "page":
                self._done.append(page)
                self._page = None
            elif name == self._element:
                self._field(page, name, value)
        self._element = ""
        self._characters.clear()

    def _field(self, page: DumpPage, name: str, value: str) -> None:
        match name:
            case "title":
                page.title = value
            case "ns":
                page.namespace = _number(value)
            case "model" if value not in ("wikitext", ""):
                page.problem = f"it is {value}, not wikitext"
            case "text":
                # A history dump has many revisions; the last one is the page.
                page.text = value
                if self._size > LARGEST_TEXT:
                    page.problem = f"it is longer than {LARGEST_TEXT >> 20} million characters"
                self._redirect(page, value)

    @staticmethod
    def _redirect(page: DumpPage, text: str) -> None:
        """The text has the fragment that the element leaves out; old dumps have no element."""
        match = REDIRECT.match(text)
        if match and (page.redirect is not None or match[1].lower() == "redirect"):
            page.redirect = match[2]


def _number(written: str) -> int:
    return int(written) if re.fullmatch(r"-?[0-9]{1,9}", written.strip()) else 0


# MediaWiki dumps in many compressed streams, with the index that says where each begins.
#
# ``…-pages-articles-multistream.xml.bz2`` is a stream for the beginning, one for every hundred
# pages and one for the end; ``…-multistream-index.txt.bz2`` beside it has a line
# ``offset:page:title`` for every page. So pages can be read from any stream on, without those
# before it.


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
    """True if they hold the end of the dump."""


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
    return (piece_of(page, ARTICLES, parser) for page in _pages_of_stream(part, parser))


def _pages_of_stream(part: Streams, parser: DumpParser) -> Iterator[DumpPage]:
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
    """The beginnings of streams with pages."""
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
