"""CSV and TSV files: each row a line in which every value stands with its column's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from lacuna.corpus.formats.delimited.rows import decoded_table, delimiter_of, rows_of
from lacuna.corpus.formats.delimited.shape import MOST_COLUMNS, TableShape, survey
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.page import Page
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.table import BETWEEN_CELLS, EMPTY
from lacuna.corpus.source_item import Skipped
from lacuna.places import PlaceUnit

FEW_COLUMNS = 30
"""Up to here an empty cell is shown as such; in wider tables most cells are empty."""
LARGEST_PART = 1_500_000
"""Characters of one page; a longer table becomes several."""
EXCEL_DELIMITER = re.compile(r"sep=([,;|:\t])\r?\n")
"""A first line that Excel understands and does not show."""
LARGEST_TEXT = 64 << 20
"""Characters of all of them: names of columns make a table longer than its file."""


def parse_table(entry: Entry) -> Iterator[Page | Skipped]:
    """A table as one page, or as several where it is long; the file's name is the title."""
    shape = TableShape(",")
    text = decoded_table(entry, shape.notes)
    if isinstance(text, Skipped):
        yield text
        return
    if told := EXCEL_DELIMITER.match(text):
        shape.delimiter = told[1]
        text = text[told.end() :]
    else:
        shape.delimiter = delimiter_of(text, entry.name.lower())
    number_of_rows = survey(text, shape)
    if not number_of_rows:
        yield Skipped(entry.name, shape.notes[-1] if shape.notes else "it has no text")
        return
    yield from _pages(entry.name, text, shape, number_of_rows)


def _pages(name: str, text: str, shape: TableShape, count: int) -> Iterator[Page | Skipped]:
    stem = PurePosixPath(name).stem
    builder, size, total, since, last, parted = PageBuilder(stem), 0, 0, 1, 1, False
    summary = _summary(shape, count)
    builder.mark(max(1, shape.first - 1))
    builder.add(summary)
    builder.end_block()
    for number, row in rows_of(text, shape.delimiter, []):
        is_header = bool(shape.header) and number == shape.first - 1
        if is_header or not any(cell.strip() for cell in row):
            continue
        if total > LARGEST_TEXT:
            shape.notes.append(f"rows after {last} were left out: its text is too long; split it")
            break
        if size > LARGEST_PART:
            yield _part(name, builder, shape, (since, last))
            builder, size, since, parted = PageBuilder(stem), 0, number, True
            builder.mark(number)
            builder.add(summary)
            builder.end_block()
        builder.mark(number)
        added = _add_row(builder, row, shape if number >= shape.first else TableShape(""))
        size, total, last = size + added, total + added, number
    yield _part(name, builder, shape, (since, last) if parted else None)


def _summary(shape: TableShape, count: int) -> str:
    rows = f"Table of {count:,} {'row' if count == 1 else 'rows'}"
    names = [name for name in shape.header if name]
    if not names:
        return f"{rows} and {shape.width} {'column' if shape.width == 1 else 'columns'}."
    shown = ", ".join(names[:100]) + (", …" if len(names) > 100 else "")
    return f"{rows} with the columns {shown}."


def _add_row(builder: PageBuilder, row: list[str], shape: TableShape) -> int:
    """Write one row down; the number of its characters."""
    show_empty = len(shape.header) <= FEW_COLUMNS
    between, size = "", 0
    for at, cell in enumerate(row[:MOST_COLUMNS]):
        value = " ".join(cell.split())
        if not value and not (show_empty and at < len(shape.header)):
            continue
        label = shape.header[at] if at < len(shape.header) else ""
        builder.add(between + (f"{label}: " if label else ""))
        if value.startswith(("https://", "http://")) and " " not in value:
            builder.open_written(value)
        builder.add(value or EMPTY)
        builder.close_link()
        between = BETWEEN_CELLS
        size += len(label) + len(value) + 6
    builder.end_item()
    return size


def _part(name: str, builder: PageBuilder, shape: TableShape, rows: tuple[int, int] | None) -> Page:
    part = f"rows {rows[0]}-{rows[1]}" if rows else ""
    if part:
        builder.title = f"{builder.title}, {part}"
    extra = {"note": "; ".join(dict.fromkeys(shape.notes))} if shape.notes else {}
    return builder.page(name, part=part, unit=PlaceUnit.ROW, extra=extra)
