"""Rows of a file of delimited values, whatever its encoding, delimiter and quotes are."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
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


def delimiter_of(lines: list[str], name: str) -> str:
    """The one that splits the first rows into the same number of columns most often."""
    if name.endswith(".tsv"):
        return "\t"
    best, most = ",", 0.0
    for delimiter in DELIMITERS:
        widths = Counter(
            min(len(row), 50) for _, row in islice(rows_of(lines, delimiter, []), LOOKED_AT) if row
        )
        if not widths:
            break
        width, times = widths.most_common(1)[0]
        score = (times / widths.total()) * min(width - 1, 3)
        if score > most:
            best, most = delimiter, score
    return best


def rows_of(lines: list[str], delimiter: str, notes: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows and their numbers, as a spreadsheet counts them.

    A quote that never ends would make one cell of all that follows: from there on quotes are
    characters like others, and each line is a row.
    """
    reader = csv.reader(lines, delimiter=delimiter)
    number, done = 0, 0
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            break
        at, done = done, reader.line_num
        over_several = done - at > 1
        if over_several and done == len(lines) and _is_open(lines[at:done]):
            done = at
            break
        yield number, row
    notes.append(f"a quote in row {number} never ends; each line from there on is read as a row")
    plain = csv.reader(lines[done:], delimiter=delimiter, quoting=csv.QUOTE_NONE)
    while True:
        try:
            yield number, next(plain)
        except StopIteration:
            return
        except csv.Error:  # a cell too long to be one
            notes.append(f"row {number} was left out: a cell of it is too long")
        number += 1


def _is_open(lines: list[str]) -> bool:
    return sum(line.count('"') for line in lines) % 2 == 1
