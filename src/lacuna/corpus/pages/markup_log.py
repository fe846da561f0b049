"""What the parts of a page are, noted while it is built: items, code, quotations, words that stand
out. The text itself says nothing of it."""

from __future__ import annotations

from lacuna.types import Markup, MarkupKind

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

    def end_list(self) -> None:
        """The next block is no item."""
        self._item = None

    def code(self, is_next: bool) -> None:
        """Whether the next block is code."""
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
