"""CSV and TSV files: each row a line in which every value stands with its column."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import islice, pairwise
from pathlib import PurePosixPath

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import BETWEEN_CELLS, EMPTY
from lacuna.places import PlaceUnit

DELIMITERS = (",", ";", "\t", "|")
LOOKED_AT = 200
"""Rows that tell the delimiter and the header."""


def decoded_table(entry: Entry, notes: list[str]) -> str | Skipped:
    """The text; what a spreadsheet on Windows writes is taken too, and noted."""
    data = entry.data
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        if encoding == "cp1252":
            notes.append("it is not UTF-8 and was read as Windows-1252")
        return text
    return Skipped(entry.name, "it is not text; save it as CSV in UTF-8")


def delimiter_of(text: str, name: str) -> str:
    """The one that splits the first rows into the same number of columns most often."""
    if name.endswith(".tsv"):
        return "\t"
    best, most = ",", 0.0
    for delimiter in DELIMITERS:
        widths = Counter(
            min(len(row), 50) for _, row in islice(rows_of(text, delimiter, []), LOOKED_AT) if row
        )
        if not widths:
            break
        width, times = widths.most_common(1)[0]
        score = (times / widths.total()) * min(width - 1, 3)
        if score > most:
            best, most = delimiter, score
    return best


def rows_of(text: str, delimiter: str, notes: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows and their numbers, as a spreadsheet counts them.

    A quote that never ends would make one cell of all that follows: from there on quotes are
    characters like others, and each line is a row.
    """
    lines = _Lines(text)
    reader = csv.reader(lines, delimiter=delimiter)
    number, read = 0, 0
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:  # a cell that is too long to be one
            break
        if lines.ended:  # the row asked for more than there is: a quote is open
            break
        read = reader.line_num
        yield number, row
    notes.append(f"a quote in row {number} never ends; each line from there on is read as a row")
    rest = islice(_Lines(text), read, None)
    plain = csv.reader(rest, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    while True:
        try:
            yield number, next(plain)
        except StopIteration:
            return
        except csv.Error:
            notes.append(f"row {number} was left out: a cell of it is too long")
        number += 1


class _Lines:
    """The lines of a text one at a time; ``ended`` once one more was asked for."""

    def __init__(self, text: str) -> None:
        self._lines = StringIO(text, newline="")
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._lines.readline()
        if not line:
            self.ended = True
            raise StopIteration
        return line


MOST_COLUMNS = 1000
LONGEST_NAME = 120
NUMBER = re.compile(r"[-+]?[\d.,\s]*\d(e[-+]?\d+)?\s*%?|[-+]?(nan|inf)", re.IGNORECASE)
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d\d\S*)?")


@dataclass(slots=True)
class TableShape:
    """The layout of a table, found before its rows are written down."""

    delimiter: str
    header: list[str] = field(default_factory=list)
    first: int = 1  # the number of the first row below the header
    width: int = 0
    notes: list[str] = field(default_factory=list)


def survey(text: str, shape: TableShape) -> int:
    """Find the header and count the rows below it."""
    find_header([row for _, row in islice(rows_of(text, shape.delimiter, []), LOOKED_AT)], shape)
    count = 0
    for number, row in rows_of(text, shape.delimiter, shape.notes):
        count += number >= shape.first and any(cell.strip() for cell in row)
        shape.width = max(shape.width, len(row))
    if shape.width > MOST_COLUMNS:
        shape.notes.append(f"only the first {MOST_COLUMNS} of {shape.width} columns were read")
    return count or bool(shape.header)


def find_header(seen: list[list[str]], shape: TableShape) -> None:
    """Find which of the first rows of a table, if any, has the names of its columns."""
    widths = Counter(len(row) for row in seen if any(cell.strip() for cell in row))
    usual = max(widths, key=lambda width: (widths[width], width), default=0)
    for at, row in enumerate(seen):
        filled = sum(1 for cell in row if cell.strip())
        if filled and (usual < 2 or filled > 1):  # lines of one cell above the table are its title
            if _is_header(row, seen[at + 1 :]):
                shape.header = [" ".join(cell.split())[:LONGEST_NAME] for cell in row]
                if usual == len(row) + 1:  # as R writes them: the names of the rows have no name
                    shape.header.insert(0, "")
                shape.first = at + 2
            else:
                shape.first = at + 1
            break


def _is_header(row: list[str], below: list[list[str]]) -> bool:
    cells = [cell.strip() for cell in row]
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    if not below or any(DATE.fullmatch(cell) for cell in cells):
        return False
    if len(row) == 1:  # a list of words has no header, unless numbers stand below a word
        filled = [line[0].strip() for line in below if line and line[0].strip()]
        return not numbers and bool(filled) and all(NUMBER.fullmatch(cell) for cell in filled)
    return (not numbers or _counts_up(numbers)) and _names_columns(cells, below)


def _names_columns(cells: list[str], below: list[list[str]]) -> bool:
    """Tell if each column that holds something has a name, which is none of its values.

    The first may have none: it holds the names of the rows.
    """
    rows = [[cell.strip() for cell in line] for line in below]
    rows = [row for row in rows if row != cells]  # a header may stand above each part of a table
    for at, name in enumerate(cells):
        values = {row[at] for row in rows if at < len(row)} - {""}
        if (name in values) if name else (at > 0 and values):
            return False
    return True


def _counts_up(numbers: list[str]) -> bool:
    """Tell if they are such as years above columns: 1990, 1991, 1992."""
    if len(numbers) < 3 or not all(number.isdecimal() for number in numbers):
        return False
    return len({int(two) - int(one) for one, two in pairwise(numbers)}) == 1


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
        added = add_row(builder, row, shape if number >= shape.first else TableShape(""))
        size, total, last = size + added, total + added, number
    yield _part(name, builder, shape, (since, last) if parted else None)


def _summary(shape: TableShape, count: int) -> str:
    rows = f"Table of {count:,} {'row' if count == 1 else 'rows'}"
    names = [name for name in shape.header if name]
    if not names:
        return f"{rows} and {shape.width} {'column' if shape.width == 1 else 'columns'}."
    shown = ", ".join(names[:100]) + (", …" if len(names) > 100 else "")
    return f"{rows} with the columns {shown}."


def add_row(builder: PageBuilder, row: list[str], shape: TableShape) -> int:
    """Write one row down; the number of its characters."""
    show_empty = shape.width <= FEW_COLUMNS
    filled = max(at for at, cell in enumerate(row) if cell.strip())
    shown = len(shape.header) or (filled if shape.width else 0)
    between, size = "", 0
    for at, cell in enumerate(row[:MOST_COLUMNS]):
        value = " ".join(cell.split())
        if not value and not (show_empty and at < shown):
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
