"""A page, built piece by piece so that every offset holds by construction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from lacuna.corpus.page import LinkKind, MarkupLog, Page, PictureLog, WrittenLink
from lacuna.corpus.tables import Row, Run, table_lines
from lacuna.places import Origin, PlaceUnit
from lacuna.types import Document, Link, MarkupKind, Section, Span

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer


SENTENCE_MAY_END = re.compile(r"[.!?…]\S{0,9}\s")
"""A text without such a place is one sentence: most headings, table cells and list items."""

UNBROKEN = re.compile(r"\S{500,}|\s{100,}")
"""Runs that are no language; the splitter's time grows with the square of their length."""

LONGEST_PIECE = 20_000
"""Characters given to the splitter at once, so that no paragraph can hold it up."""


def sentence_spans(text: str, paragraphs: Iterable[Span]) -> tuple[Span, ...]:
    """The sentences of the paragraphs, without the space around them.

    >>> sentence_spans("Dr. Voss sails. She is old.", [Span(0, 27)])
    (Span(start=0, end=15), Span(start=16, end=27))
    """
    return tuple(span for paragraph in paragraphs for span in _split(text, paragraph))


def _split(text: str, paragraph: Span) -> Iterator[Span]:
    start, end = paragraph
    if not SENTENCE_MAY_END.search(text, start, end):
        yield from _trimmed(text, start, end)
        return
    splitter = _splitter()
    for piece_start, piece_end in _pieces(text, start, end):
        for first, last in splitter.spans(text[piece_start:piece_end]):
            yield Span(piece_start + first, piece_start + last)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The pieces that the splitter may see at once; a run that is no language stands outside of
    it."""
    if end - start <= 100:
        yield start, end
        return
    for run in UNBROKEN.finditer(text, start, end):
        yield from _short_pieces(text, start, run.start())
        start = run.end()
    yield from _short_pieces(text, start, end)


def _short_pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_PIECE:
        cut = text.rfind(" ", start, start + LONGEST_PIECE)
        cut = cut if cut > start else start + LONGEST_PIECE
        yield start, cut
        start = cut
    yield start, end


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if stripped := piece.strip():
        first = start + len(piece) - len(piece.lstrip())
        yield Span(first, first + len(stripped))


@cache
def _splitter() -> PunktSentenceTokenizer:
    # Imported here because most of the program never splits a sentence.
    from nupunkt import load

    return load("default")


# Build a page piece by piece, so that every offset holds by construction.
#
# A format says what comes next (text, a link, a heading, the end of a block); the builder counts.
# Blocks are separated by an empty line, items of a list and rows of a table by the end of a line;
# space inside them is collapsed.


BETWEEN_BLOCKS = "\n\n"
BETWEEN_ITEMS = "\n"
MOST_BLOCKS = 200_000
"""Of a page; a hostile one would fill the memory with paragraphs of a letter each."""
LONGEST_CAPTION = 300
"""Characters that are compared with the words of a picture."""
LONGEST_ROW = 600
"""Characters; a longer row of a table has prose in its cells, and that has sentences."""
MOST_ANCHORS_OF_TITLE = 100


@dataclass(slots=True)
class _OpenLink:
    target: str
    fragment: str
    kind: LinkKind | None  # None: the target is a title already
    start: int = -1  # not known before its first character is there


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    text: str
    start: int
    before: int  # where the text before it ends


class PageBuilder:
    """Collects one page; ``page`` gives it whole, ``document`` where its links are titles."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []
        self._size = 0
        self._block_start = -1  # -1: no block is open
        self._block_part = 0
        self._gap = ""
        self._link: _OpenLink | None = None
        self._heading_level = 0
        self._last_end = 0
        self._links: list[Link] = []
        self._written: list[WrittenLink] = []
        self._marks: list[tuple[int, int]] = []
        self._anchors: list[tuple[int, str]] = []
        self._next_mark = 0
        self._next_anchors: list[str] = []
        self._tight = False
        self._headings: list[_Heading] = []
        self._title_seen = False
        self._paragraphs: list[Span] = []
        self._rows: list[Span] = []  # those of them that are rows of tables
        self.markup = MarkupLog()
        self._pictures = PictureLog()
        self._part_before = -1  # where the paragraph before begins, if it was one
        self._was_picture = False  # whether it is the words of a picture

    @property
    def has_paragraph(self) -> bool:
        """True if a paragraph was closed or is under way."""
        return bool(self._paragraphs) or (self._block_start >= 0 and not self._heading_level)

    @property
    def last(self) -> str:
        """The last characters of the open block; nothing where space follows them."""
        return "" if self._gap or self._block_start < 0 else self._parts[-1][-2:]

    def add(self, text: str) -> None:
        """Running text; any run of space in it becomes one space."""
        # A soft hyphen only says where a word may be broken; readers do not see it.
        words = text.replace("\u00ad", "").split()
        if not words:
            if text:
                self._gap = self._gap or " "
            return
        if text[0].isspace():
            self._gap = self._gap or " "
        self._append(" ".join(words))
        self._gap = " " if text[-1].isspace() else ""

    def add_verbatim(self, text: str) -> None:
        """Text whose space and line ends mean something, such as code."""
        text = self._gap * (self._block_start >= 0) + text.replace("\r\n", "\n")
        self._gap = ""
        stripped = text.rstrip()
        if stripped:
            self._append(stripped if self._block_start >= 0 else stripped.lstrip("\r\n"))
        self._gap = text[len(stripped) :]

    def break_line(self) -> None:
        """A new line inside the block."""
        self._gap = "\n"

    def begin_cell(self) -> None:
        """Begin the next cell of a row without headings; empty cells leave no trace."""
        self._gap = " | "

    def open_link(self, target: str, fragment: str = "") -> None:
        """Begin the anchor of a link to a title; links do not nest."""
        self.close_link()
        self._link = _OpenLink(target, fragment, None)

    def open_written(self, target: str, kind: LinkKind = LinkKind.PATH) -> None:
        """Begin the anchor of a link as it is written."""
        self.close_link()
        self._link = _OpenLink(target, "", kind)

    def close_link(self) -> None:
        """The anchor ends; a link without one is no link in the text and is left out."""
        self._store_link()
        self._link = None

    def open_heading(self, level: int) -> None:
        """Begin a heading, up to the end of the block."""
        self.end_block()
        self._heading_level = level

    def open_style(self, kind: MarkupKind) -> None:
        """Begin text that stands out."""
        self.markup.open_style(kind)

    def close_style(self, kind: MarkupKind) -> None:
        """It ends."""
        self.markup.close_style(kind, self._size)

    def open_picture(self, target: str) -> None:
        """Begin the words of a picture; ``target`` is its path."""
        self._pictures.open(target)

    def close_picture(self) -> None:
        """They end; where there were none, the picture stands here all the same."""
        self._pictures.close(self._size, in_block=self._block_start >= 0)

    def end_block(self, *, row: bool = False, item: bool = False) -> None:
        """The paragraph or heading ends here; nothing happens if it is empty."""
        level, self._heading_level = self._heading_level, 0
        self._gap = ""
        start = self._block_start
        if start < 0:
            self._pictures.end_empty_block()
            return
        self._tight = False
        self._store_link()
        if len(self._paragraphs) + len(self._headings) >= MOST_BLOCKS:
            self._heading_level, self._gap = 0, BETWEEN_ITEMS  # all that follows is one block
            return
        if level or row:
            self._part_before = -1
        if level:
            if not self._end_heading(level):
                return
        elif not row and self._repeats_words_of_picture(start):
            self._take_back(start)
            return
        else:
            self._paragraphs.append(Span(start, self._size))
        self.markup.end_block(start, self._size, heading=level, row=row, item=item)
        self._last_end = self._size
        self._block_start = -1

    def end_item(self, *, row: bool = False) -> None:
        """The item of a list or the row of a table ends; the next is on the next line."""
        ended = self._block_start >= 0
        self.end_block(row=row, item=not row)
        self._tight = self._tight or ended

    def end_list(self) -> None:
        """End a list: an empty line goes before it."""
        self.end_block()
        self.markup.end_list()
        self._tight = False

    def mark(self, number: int) -> None:
        """Note that the text from here on is on this line, page or row of the file."""
        self._next_mark = number

    def anchor(self, name: str) -> None:
        """Note that the text added next is the place of this name in the file."""
        self._next_anchors.append(name)

    def add_table(self, rows: Sequence[Row], marks: Sequence[int] = ()) -> None:
        """A table, a line for each row; ``marks`` are the numbers of the rows' lines."""
        self.end_list()
        for number, runs in table_lines(rows):
            if number < len(marks):
                self.mark(marks[number])
            for part, stretch in groupby(runs, key=lambda run: run.part):
                if part is not None:
                    self.open_style(part)
                for run in stretch:
                    self._add_run(run)
                if part is not None:
                    self.close_style(part)
            self.end_item(row=True)
            if self._paragraphs and self._paragraphs[-1].end == self._size:
                self._rows.append(self._paragraphs[-1])
        self.end_list()

    def document(self, extra: Mapping[str, Any] | None = None) -> Document:
        """The collected text as a document."""
        self.close_link()
        self.end_block()
        if self._block_start >= 0:
            self._paragraphs.append(Span(self._block_start, self._size))
            self._block_start = -1
        text = "".join(self._parts)
        # A row of a table is one sentence, whatever dots its numbers have.
        whole = {row for row in self._rows if row.end - row.start <= LONGEST_ROW}
        running = sentence_spans(text, (span for span in self._paragraphs if span not in whole))
        return Document(
            self.title,
            text,
            tuple(sorted((*running, *whole))) if whole else running,
            tuple(self._links),
            tuple(self._paragraphs),
            self._sections(),
            extra or {},
            markup=self.markup.marks(),
            pictures=self._pictures.pictures(self._size),
        )

    def page(
        self,
        file: str,
        *,
        part: str = "",
        names: Iterable[str] = (),
        labels: Iterable[tuple[str, str]] = (),
        unit: PlaceUnit = PlaceUnit.LINE,
        extra: Mapping[str, Any] | None = None,
    ) -> Page:
        """The collected text as a page of a file."""
        document = self.document(extra)
        anchors = self._anchors
        if part and not self._marks:  # the chapter of a book is a place in its file
            anchors = [(0, part), *((at, f"{part}#{name}") for at, name in anchors)]
        origin = Origin(file, unit=unit, marks=tuple(self._marks), anchors=tuple(anchors))
        return Page(
            file,
            replace(document, origin=origin),
            tuple(self._written),
            part,
            tuple(names),
            tuple(labels),
        )

    def _add_run(self, run: Run) -> None:
        if run.target:
            self.open_written(run.target, run.kind)
        if run.picture:
            self.open_picture(run.picture)
        self.add(run.text)
        if run.picture:
            self.close_picture()
        if run.target:
            self.close_link()

    def _append(self, text: str) -> None:
        if self._block_start < 0:
            self._block_part = len(self._parts)
            if self._size:
                self._put(BETWEEN_ITEMS if self._tight else BETWEEN_BLOCKS)
            self._tight = False
            if lead := self.markup.lead:
                self._put(lead)
            self._block_start = self._size
        elif self._gap:
            self._put(self._gap)
        self._gap = ""
        if self._next_mark and (not self._marks or self._marks[-1][1] != self._next_mark):
            self._marks.append((self._size, self._next_mark))
        self._anchors += ((self._size, name) for name in self._next_anchors)
        self._next_anchors.clear()
        if self._link is not None and self._link.start < 0:
            self._link.start = self._size
        self.markup.begin_text(self._size)
        self._pictures.begin_text(self._size)
        self._put(text)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _store_link(self) -> None:
        """An anchor that runs over the end of a block becomes one link in each block."""
        link = self._link
        if link is None or not 0 <= link.start < self._size:
            return
        if link.kind is None:
            self._links.append(Link(link.start, self._size, link.target, link.fragment))
        else:
            self._written.append(WrittenLink(link.start, self._size, link.target, link.kind))
        link.start = -1

    def _repeats_words_of_picture(self, start: int) -> bool:
        """Tell if a picture and the words under or above it say the same: the second is left out.

        What stands above may say more: "Figure 1: A boat" above a picture of "A boat".
        """
        is_picture = self._pictures.is_all(start, self._size)
        before, was_picture = self._part_before, self._was_picture
        self._part_before, self._was_picture = self._block_part, is_picture
        if before < 0 or not (is_picture or was_picture):
            return False
        above = _caption("".join(self._parts[before : self._block_part]))
        words = _caption("".join(self._parts[self._block_part :]))
        repeats = words == above or (is_picture and above.endswith(words))
        if repeats:
            self._part_before = -1
        return repeats

    def _take_back(self, start: int) -> None:
        """The block that began there is left out."""
        del self._parts[self._block_part :]
        self._size = self._last_end
        self._block_start = -1
        for links in (self._links, self._written):
            while links and links[-1].start >= start:
                links.pop()
        while self._marks and self._marks[-1][0] >= start:
            self._marks.pop()
        while self._anchors and self._anchors[-1][0] >= start:
            self._next_anchors.append(self._anchors.pop()[1])
        self.markup.take_back(start)
        self._pictures.take_back(self._size)

    def _end_heading(self, level: int) -> bool:
        start = self._block_start
        text = " ".join("".join(self._parts[self._block_part :]).split())
        if not start and not self._title_seen and text.casefold() == self.title.casefold():
            # The page's own title above its text is no section, and no part of the text.
            self._parts.clear()
            self._links.clear()
            self._written.clear()
            self._marks.clear()
            self.markup.clear()
            self._pictures.clear()
            # A hostile page repeats its title without end.
            self._next_anchors = [name for _, name in self._anchors[:MOST_ANCHORS_OF_TITLE]]
            self._anchors.clear()
            self._size, self._block_start = 0, -1
            self._title_seen = True
            return False
        self._headings.append(_Heading(level, text, start, self._last_end))
        return True

    def _sections(self) -> tuple[Section, ...]:
        """The whole page, then the part under each heading with the parts inside it."""
        headings = self._headings
        ends = [self._size] * len(headings)
        paths: list[tuple[str, ...]] = []
        above: list[int] = []
        for index, heading in enumerate(headings):
            while above and headings[above[-1]].level >= heading.level:
                ends[above.pop()] = heading.before
            above.append(index)
            paths.append((self.title, *(headings[number].text for number in above)))
        return (
            Section((self.title,), 0, self._size),
            *(
                Section(path, heading.start, end)
                for path, heading, end in zip(paths, headings, ends, strict=True)
            ),
        )


def _caption(text: str) -> str:
    return text.strip()[:LONGEST_CAPTION].rstrip(".").casefold()


def add_runs(builder: PageBuilder, runs: Iterable[Run], line: int) -> int:
    """Running text that begins on a line of the file; gives the line that it ends on.

    >>> builder = PageBuilder("Setup")
    >>> add_runs(builder, [Run("Read the\\n"), Run("guide", "guide.adoc"), Run(" first.")], 3)
    4
    >>> builder.page("setup.adoc").document.origin.marks
    ((0, 3), (9, 4))
    """
    for run in runs:
        if run.target:
            builder.open_written(run.target, run.kind)
        if run.picture:
            builder.open_picture(run.picture)
        for at, piece in enumerate(run.text.split("\n")):
            if at:
                builder.add(" ")
                line += 1
            builder.mark(line)
            builder.add(piece)
        if run.picture:
            builder.close_picture()
        if run.target:
            builder.close_link()
    return line


def add_lines(builder: PageBuilder, lines: Iterable[str], line: int) -> int:
    """Lines as they are, such as code; gives the line after the last of them."""
    for text in lines:
        if text.strip():
            builder.markup.code(True)
        builder.mark(line)
        builder.add_verbatim(text + "\n")
        line += 1
    return line


def runs_text(runs: Iterable[Run]) -> str:
    """Their words in one line."""
    return " ".join("".join(run.text for run in runs).split())


UPPER = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
ORDINALS = frozenset(("st", "nd", "rd", "th", "d", "e", "er", "re", "o", "a", "tm", "sm", "r", "c"))


def raised(text: str) -> str | None:
    """The form of a superscript in a line, so that 10 to the 6th is not read as 106.

    None where it goes on with the word before it, as in 1st.

    >>> raised("-6"), raised("n"), raised("USG"), raised("st")
    ('⁻⁶', '^n', ' USG', None)
    """
    word = text.strip()
    if not word.isascii() or not word.lstrip("+-").isalnum() or word.lower() in ORDINALS:
        return None
    if word.lstrip("+-").isdigit():
        return word.translate(UPPER) if len(word) <= 6 else f"^{word}"
    return f"^{word}" if len(word) == 1 else f" {word}"


class Fact(NamedTuple):
    """A name, a value, and the line of the file that says so, if there is one."""

    name: str
    value: str
    line: int = 0


def add_facts(builder: PageBuilder, facts: Iterable[Fact]) -> None:
    """A last section with a line for each fact: ``author: Jane Doe``."""
    begun = False
    for fact in facts:
        if fact.line:
            builder.mark(fact.line)
        if not begun:
            builder.end_list()
            builder.open_heading(1)
            builder.add("Properties")
            builder.end_block()
            begun = True
        builder.add(f"{fact.name}: {fact.value}")
        builder.end_item()
    builder.end_list()
