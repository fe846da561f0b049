"""Where a page's text goes: onto the page, or into the cell of a table that is open."""

from __future__ import annotations

from lacuna.corpus.pages.page import LinkKind
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.table import Cell, Run
from lacuna.types import MarkupKind


class CellText:
    """Collects one cell; takes what a ``PageBuilder`` takes, and has no blocks."""

    def __init__(self, heading: bool, across: int = 1, down: int = 1) -> None:
        self._shape = (heading, across, down)
        self._runs: list[Run] = []
        self._link: tuple[str, LinkKind] | None = None
        self._picture = ""

    def add(self, text: str) -> None:
        """Running text."""
        run = Run(text, *self._link) if self._link else Run(text)
        self._runs.append(run._replace(picture=self._picture) if self._picture else run)

    def add_verbatim(self, text: str) -> None:
        """In a cell, code is text like any other."""
        self.add(text)

    def break_line(self) -> None:
        """A cell is one line."""
        self.add(" ")

    def open_written(self, target: str, kind: LinkKind = LinkKind.PATH) -> None:
        """What follows is the anchor of a link."""
        self._link = (target, kind)

    def close_link(self) -> None:
        """The anchor ends."""
        self._link = None

    def open_picture(self, target: str) -> None:
        """What follows are the words of a picture."""
        self._picture = target

    def close_picture(self) -> None:
        """They end."""
        self._picture = ""

    def open_heading(self, level: int) -> None:
        """A heading in a cell is text."""
        self.end_block()

    def end_block(self) -> None:
        """What follows is another word."""
        self.close_link()
        self.add(" ")

    end_item = end_list = end_block

    def cell(self) -> Cell:
        """What was collected."""
        return Cell(tuple(self._runs), *self._shape)


class Sheet:
    """A page under way, with the tables on it; a table inside a cell is text of that cell."""

    def __init__(self, builder: PageBuilder) -> None:
        self.builder = builder
        self._cell: CellText | None = None
        self._rows: list[list[Cell]] = []
        self._marks: list[int] = []
        self._depth = 0
        self._line = 0

    @property
    def out(self) -> PageBuilder | CellText:
        """What the text is to be added to."""
        return self._cell or self.builder

    def mark(self, number: int) -> None:
        """What follows stands on this line of the file."""
        self._line = number
        if not self._depth:
            self.builder.mark(number)

    def open_style(self, kind: MarkupKind) -> None:
        """What follows stands out; in a cell that is not kept."""
        if self._cell is None:
            self.builder.open_style(kind)

    def close_style(self, kind: MarkupKind) -> None:
        """It ends."""
        if self._cell is None:
            self.builder.close_style(kind)

    def begin_table(self) -> None:
        """What follows is rows with cells."""
        self._depth += 1
        if self._depth == 1:
            self.builder.end_block()

    def begin_row(self) -> None:
        """The next row."""
        if self._depth != 1:
            self.out.end_block()
            return
        self._end_cell()
        self._rows.append([])
        self._marks.append(self._line)

    def begin_cell(self, heading: bool, across: int = 1, down: int = 1) -> None:
        """The next cell; what is added from here on is its text."""
        if self._depth != 1:
            self.out.end_block()
            return
        self._end_cell()
        if not self._rows:
            self.begin_row()
        self._cell = CellText(heading, across, down)

    def end_table(self) -> None:
        """The table is whole."""
        if self._depth > 1:
            self._depth -= 1
        elif self._depth:
            self.flush()

    def flush(self) -> None:
        """Put the open table onto the page, whether it was closed or not."""
        self._end_cell()
        self._depth = 0
        if self._rows:
            self.builder.add_table(self._rows, self._marks)
        self._rows, self._marks = [], []

    def _end_cell(self) -> None:
        if self._cell:
            self._rows[-1].append(self._cell.cell())
            self._cell = None
