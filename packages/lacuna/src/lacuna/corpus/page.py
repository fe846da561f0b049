"""A page: one document as its file tells it, and what is noted of it while it is built."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from lacuna.types import Document, Markup, MarkupKind, Picture


class LinkKind(StrEnum):
    """The way in which a link names its target."""

    PATH = "path"
    """A relative path or an address: ``../guide/setup.md#tools``, ``https://…``."""
    NAME = "name"
    """A title, an alias, a file name with or without its folder: ``[[Setup]]``."""
    LABEL = "label"
    """A label that some page of the source defines: Sphinx's ``:ref:``, AsciiDoc's ``<<id>>``."""
    TITLE = "title"
    """The title of a page exactly as it is, of a source whose links are resolved already."""


@dataclass(frozen=True, slots=True)
class WrittenLink:
    """A link as it is written; ``text[start:end]`` of the page is its anchor."""

    start: int
    end: int
    target: str
    kind: LinkKind = LinkKind.PATH
    fragment: str = ""
    """Only where it does not stand in the target."""


@dataclass(frozen=True, slots=True)
class Page:
    """The content of one file, or of one part of it.

    ``document`` has the title that the page gives itself (the file's name where it gives none), its
    text and its origin, and no links yet. ``part`` tells several pages of one file apart, such as
    the chapters of a book. ``names`` are other names that it may be linked by; ``labels`` are names
    of places in it: a label, and the fragment that stands for it in an address.
    """

    file: str
    document: Document
    links: tuple[WrittenLink, ...] = ()
    part: str = ""
    names: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""
    """The target to which a page sends its reader at once; such a page is a name for another, and
    no document."""

    @property
    def path(self) -> str:
        """The path that no other page of the source has.

        >>> Page("book.epub", Document("Sails", "…"), part="ch3.xhtml").path
        'book.epub#ch3.xhtml'
        """
        return f"{self.file}#{self.part}" if self.part else self.file


MOST = 200_000
"""Of a page; a hostile one has a bold letter beside each plain one."""


class MarkupLog:
    """Collects the markup of a page; ``size`` is always how long the text is by now."""

    def __init__(self) -> None:
        self._marks: list[Markup] = []
        self._open: dict[MarkupKind, int] = {}  # -1: its first character is still to come
        self._item: tuple[int, int] | None = None
        self._is_code = False
        self._quotes = 0

    def clear(self) -> None:
        """Forget what was noted; the page begins here."""
        self._marks.clear()
        self._open = dict.fromkeys(self._open, -1)

    def open_item(self, level: int, number: int) -> None:
        """The next block is an item of a list; those after it go on with it."""
        self._item = (level, number)

    @property
    def lead(self) -> str:
        """The signs before the next block: how deep an item is nested, and its number."""
        level, number = self._item or (1, 0)
        return "  " * (level - 1) + (f"{number}. " if number > 0 else "")

    def end_list(self) -> None:
        """The next block is no item."""
        self._item = None

    def code(self, is_next: bool) -> None:
        """Tell if the next block is code."""
        self._is_code = is_next

    def quote(self, deeper: int) -> None:
        """The next block stands in one more quotation, or in one fewer."""
        self._quotes += deeper

    def open_style(self, kind: MarkupKind) -> None:
        """The next characters stand out."""
        self._open.setdefault(kind, -1)

    def close_style(self, kind: MarkupKind, size: int) -> None:
        """The characters that stand out end here."""
        start = self._open.pop(kind, -1)
        if 0 <= start < size:
            self._note(kind, start, size)

    def begin_text(self, size: int) -> None:
        """Characters are about to be added."""
        for kind, start in self._open.items():
            if start < 0:
                self._open[kind] = size

    def end_block(self, start: int, size: int, *, heading: int, row: bool, item: bool) -> None:
        """A block ends: the heading of a level, a row of a table, an item, or any other."""
        for kind in tuple(self._open):  # what stands out goes on in the next block
            self.close_style(kind, size)
            self.open_style(kind)
        if heading:
            self._note(MarkupKind.HEADING, start, size, heading)
        elif row:
            self._note(MarkupKind.ROW, start, size)
        else:
            self._end_block(start, size, item)
        if self._quotes > 0:
            self._note(MarkupKind.QUOTE, start, size)

    def take_back(self, size: int) -> None:
        """Forget what was noted from there on; what stands out by then goes on."""
        while self._marks and self._marks[-1].start >= size:
            self._marks.pop()
        self._open = {kind: start if start < size else -1 for kind, start in self._open.items()}

    def marks(self) -> tuple[Markup, ...]:
        """All of it in the order of the text, the outer before the inner."""
        return tuple(sorted(self._marks, key=lambda mark: (mark.start, -mark.end)))

    def _end_block(self, start: int, size: int, item: bool) -> None:
        if self._item is not None:
            level, number = self._item
            self._note(MarkupKind.ITEM, start, size, level, number)
            self._item = (level, -1)
        elif item:
            self._note(MarkupKind.ITEM, start, size, 1)
        if self._is_code:
            self._note(MarkupKind.CODE, start, size)
            self._is_code = False

    def _note(self, kind: MarkupKind, start: int, end: int, *numbers: int) -> None:
        if len(self._marks) < MOST:
            self._marks.append(Markup(kind, start, end, *numbers))


MOST_PICTURES = 1_000
"""Of a page."""
LONGEST_TARGET = 1_000
RASTER = (".png", ".jpg", ".jpeg", ".gif", ".webp")
"""The endings of pictures that may be shown: others can hold scripts."""
PICTURES = (*RASTER, ".svg", ".bmp", ".ico", ".tif", ".tiff", ".heic", ".avif")
"""The endings of all pictures: no text is expected of them, so none is missed."""
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|\\\\", re.IGNORECASE)


def is_picture(name: str) -> bool:
    """Tell if a file is a picture, by its name."""
    return name.lower().endswith(PICTURES)


def picture_path(target: str) -> str:
    """The path in a picture's target; nothing where it cannot be shown, or lies elsewhere.

    >>> picture_path("img/boat.png?raw=true"), picture_path("https://example.org/boat.png")
    ('img/boat.png', '')
    """
    path = re.split(r"[?#]", target.strip(), maxsplit=1)[0]
    is_path = len(path) <= LONGEST_TARGET and not _ELSEWHERE.match(path)
    return path if is_path and path.lower().endswith(RASTER) else ""


class PictureLog:
    """Collects the pictures of a page; ``size`` is always how long the text is by now."""

    def __init__(self) -> None:
        self._pictures: list[Picture] = []
        self._open = ""
        self._start = -1  # of its words; -1: the first character is still to come
        self._next: list[str] = []  # without words, at the beginning of a block
        self._between: list[str] = []  # without words, in no block

    def clear(self) -> None:
        """The page begins here; what was shown before stands before its text."""
        self._between = [*(picture.target for picture in self._pictures), *self._between]
        self._pictures.clear()

    def open(self, target: str) -> None:
        """Begin the words of a picture."""
        self._open, self._start = picture_path(target), -1

    def close(self, size: int, *, in_block: bool) -> None:
        """The words end; there may have been none."""
        target, self._open = self._open, ""
        if (
            not target
            or len(self._pictures) + len(self._next) + len(self._between) >= MOST_PICTURES
        ):
            return
        if self._start >= 0:
            self._pictures.append(Picture(self._start, size, target))
        elif in_block:
            self._pictures.append(Picture(size, size, target))
        else:
            self._next.append(target)

    def is_all(self, start: int, size: int) -> bool:
        """Tell if the text from there on is the words of one picture."""
        last = self._pictures[-1] if self._pictures else None
        return last is not None and (last.start, last.end) == (start, size)

    def take_back(self, size: int) -> None:
        """The words from there on are taken back; their pictures stand at the end of the rest."""
        for at in reversed(range(len(self._pictures))):
            picture = self._pictures[at]
            if picture.end <= size:
                break
            self._pictures[at] = Picture(size, size, picture.target)

    def begin_text(self, size: int) -> None:
        """Characters are about to be added."""
        if self._next or self._between:
            before = max(0, size - 1)
            self._pictures += (Picture(before, before, target) for target in self._between)
            self._pictures += (Picture(size, size, target) for target in self._next)
            self._next, self._between = [], []
        if self._open and self._start < 0:
            self._start = size

    def end_empty_block(self) -> None:
        """A block ends in which there was no text."""
        self._between += self._next
        self._next = []

    def pictures(self, size: int) -> tuple[Picture, ...]:
        """All of them in the order of the text."""
        last = (Picture(size, size, target) for target in (*self._between, *self._next))
        return (*self._pictures, *last)
