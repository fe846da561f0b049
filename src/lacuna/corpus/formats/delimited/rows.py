"""Rows of a file of delimited values, whatever its encoding, delimiter and quotes are."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from itertools import islice

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.source_item import Skipped

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
