"""Blocks of a document to text: headings, items, tables, and notes at the end of their section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lacuna.corpus.formats.docx.blocks import Block, Paragraph, Table, TableCell
from lacuna.corpus.formats.docx.styles import StyleRole, Styles
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.table import Cell, Run

LONGEST_CELL = 3000
"""Characters; a table with more in a cell arranges text, and is read cell by cell."""
MOST_HEADINGS = 3
"""Rows of headings that one cell may reach over."""
DEEPEST = 50

Notes = Mapping[tuple[str, str], list[Block]]


class DocxWriter:
    """Adds blocks to a page."""

    def __init__(self, builder: PageBuilder, styles: Styles, notes: Notes) -> None:
        self._builder = builder
        self._styles = styles
        self._notes = notes
        self._waiting: list[tuple[str, str]] = []

    def write(self, blocks: Sequence[Block]) -> None:
        """All of them, and the notes that they name."""
        self._write(blocks, 0)
        self._write_notes()

    def _write(self, blocks: Sequence[Block], depth: int) -> None:
        for block in blocks:
            if isinstance(block, Paragraph):
                self._paragraph(block)
            elif depth < DEEPEST:
                self._builder.end_list()
                self._table(block, depth)
        self._builder.end_list()

    def _paragraph(self, paragraph: Paragraph) -> None:
        builder, styles = self._builder, self._styles
        role = styles.role(paragraph.style)
        if role is StyleRole.CONTENTS or not paragraph.text:
            return
        level = paragraph.level or styles.level(paragraph.style) or (role is StyleRole.TITLE)
        is_item = not level and (paragraph.numbered or role is StyleRole.ITEM)
        if level:
            self._write_notes()
        if not is_item:
            builder.end_list()
        if level:
            builder.open_heading(int(level))
        for name in paragraph.bookmarks:
            builder.anchor(name)
        for run in paragraph.runs:
            if run.target:
                builder.open_written(run.target)
            for at, line in enumerate(run.text.split("\n")):
                if at:
                    builder.break_line()
                builder.add(line)
            builder.close_link()
        self._waiting += paragraph.notes
        if is_item:
            builder.end_item()
        else:
            builder.end_block()

    def _write_notes(self) -> None:
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            for block in self._notes.get(note, ()):
                if isinstance(block, Paragraph):
                    self._paragraph(block)
        self._waiting.clear()  # a note in a note would never end
        self._builder.end_list()

    def _table(self, table: Table, depth: int) -> None:
        rows = [row for row in table.rows if row.cells]
        cells = [cell for row in rows for cell in row.cells]
        long = any(sum(map(_size, cell.blocks)) > LONGEST_CELL for cell in cells)
        if long or max((len(row.cells) for row in rows), default=0) < 2:
            for cell in cells:
                self._write(cell.blocks, depth + 1)
            return
        downs = _reach(table)
        first_is_heading = table.first_is_heading and len(rows) > 1
        written: list[list[Cell]] = []
        last_heading = -1
        for at, row in enumerate(rows):
            if row.heading or (at == 0 and first_is_heading):
                down = max(downs.get(id(cell), 1) for cell in row.cells)
                last_heading = at + down - 1 if down <= MOST_HEADINGS else at
            heading = at <= last_heading
            written.append(
                [
                    Cell(tuple(self._runs(cell.blocks, 0)), heading, cell.across, downs[id(cell)])
                    for cell in row.cells
                    if id(cell) in downs
                ]
            )
        self._builder.add_table(written)

    def _runs(self, blocks: Sequence[Block], depth: int) -> list[Run]:
        """The words of a cell in one line; a table in it gives its cells one after the other."""
        runs: list[Run] = []
        for block in blocks:
            if isinstance(block, Paragraph):
                runs += [*block.runs, Run(" ")] if block.runs else []
                self._waiting += block.notes
            elif depth < DEEPEST:
                for row in block.rows:
                    for cell in row.cells:
                        runs += self._runs(cell.blocks, depth + 1)
        return runs


def _size(block: Block) -> int:
    return len(block.text) if isinstance(block, Paragraph) else 0


def _reach(table: Table) -> dict[int, int]:
    """For each cell by identity how many rows it reaches down; those it reaches over have none."""
    downs: dict[int, int] = {}
    above: dict[int, TableCell] = {}
    for row in table.rows:
        column = 0
        for cell in row.cells:
            if cell.merge == "continue" and column in above:
                downs[id(above[column])] += 1
            else:
                downs[id(cell)] = 1
                above.pop(column, None)
                if cell.merge == "restart":
                    above[column] = cell
            column += cell.across
    return downs
