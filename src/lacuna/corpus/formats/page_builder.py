"""Build a document piece by piece, so that every offset holds by construction.

A format says what comes next (text, a link, a heading, the end of a block); the builder counts.
Blocks are separated by an empty line, space inside them is collapsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.types import Document, Link, Section, Span

BETWEEN_BLOCKS = "\n\n"


@dataclass(slots=True)
class _OpenLink:
    target: str
    fragment: str
    start: int = -1  # not known before its first character is there


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    text: str
    start: int
    before: int  # where the text before it ends


class PageBuilder:
    """Collects one page; ``document`` gives it whole."""

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
        self._headings: list[_Heading] = []
        self._paragraphs: list[Span] = []

    @property
    def has_paragraph(self) -> bool:
        """Whether a paragraph was closed or is under way."""
        return bool(self._paragraphs) or (self._block_start >= 0 and not self._heading_level)

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
        """What follows is the next cell of a row; empty cells leave no trace."""
        self._gap = " | "

    def open_link(self, target: str, fragment: str = "") -> None:
        """What is added from here on is the anchor; links do not nest."""
        self.close_link()
        self._link = _OpenLink(target, fragment)

    def close_link(self) -> None:
        """The anchor ends; a link without one is no link in the text and is left out."""
        self._store_link()
        self._link = None

    def open_heading(self, level: int) -> None:
        """What is added up to the end of the block is a heading."""
        self.end_block()
        self._heading_level = level

    def end_block(self) -> None:
        """The paragraph or heading ends here; nothing happens if it is empty."""
        level, self._heading_level = self._heading_level, 0
        self._gap = ""
        start = self._block_start
        if start < 0:
            return
        self._store_link()
        if level:
            if not self._end_heading(level):
                return
        else:
            self._paragraphs.append(Span(start, self._size))
        self._last_end = self._size
        self._block_start = -1

    def document(self, extra: Mapping[str, Any] | None = None) -> Document:
        """The page as it was collected."""
        self.close_link()
        self.end_block()
        text = "".join(self._parts)
        return Document(
            self.title,
            text,
            sentence_spans(text, self._paragraphs),
            tuple(self._links),
            tuple(self._paragraphs),
            self._sections(),
            extra or {},
        )

    def _append(self, text: str) -> None:
        if self._block_start < 0:
            self._block_part = len(self._parts)
            if self._size:
                self._put(BETWEEN_BLOCKS)
            self._block_start = self._size
        elif self._gap:
            self._put(self._gap)
        self._gap = ""
        if self._link is not None and self._link.start < 0:
            self._link.start = self._size
        self._put(text)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _store_link(self) -> None:
        """An anchor that runs over the end of a block becomes one link in each block."""
        link = self._link
        if link is not None and 0 <= link.start < self._size:
            self._links.append(Link(link.start, self._size, link.target, link.fragment))
            link.start = -1

    def _end_heading(self, level: int) -> bool:
        start = self._block_start
        text = " ".join("".join(self._parts[self._block_part :]).split())
        if not start and text.casefold() == self.title.casefold():
            # The page's own title above its text is no section, and no part of the text.
            self._parts.clear()
            self._links.clear()
            self._size, self._block_start = 0, -1
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
