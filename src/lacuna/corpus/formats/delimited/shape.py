"""The shape of a table: which row names its columns, how wide it is, how many rows it has."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, pairwise

from lacuna.corpus.formats.delimited.rows import LOOKED_AT, rows_of

MOST_COLUMNS = 1000
LONGEST_NAME = 120
NUMBER = re.compile(r"[-+]?[\d.,\s]*\d(e[-+]?\d+)?\s*%?|[-+]?(nan|inf)", re.IGNORECASE)
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d\d\S*)?")


@dataclass(slots=True)
class TableShape:
    """What is known of a table before its rows are written down."""

    delimiter: str
    header: list[str] = field(default_factory=list)
    first: int = 1  # the number of the first row below the header
    width: int = 0
    notes: list[str] = field(default_factory=list)


def survey(text: str, shape: TableShape) -> int:
    """Find the header and count the rows below it."""
    seen = [row for _, row in islice(rows_of(text, shape.delimiter, []), LOOKED_AT)]
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
    count = 0
    for number, row in rows_of(text, shape.delimiter, shape.notes):
        count += number >= shape.first and any(cell.strip() for cell in row)
        shape.width = max(shape.width, len(row))
    if shape.width > MOST_COLUMNS:
        shape.notes.append(f"only the first {MOST_COLUMNS} of {shape.width} columns were read")
    return count or bool(shape.header)


def _is_header(row: list[str], below: list[list[str]]) -> bool:
    cells = [cell.strip() for cell in row]
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    if not below or any(DATE.fullmatch(cell) for cell in cells):
        return False
    if len(row) == 1:  # a list of words has no header, unless numbers stand below a word
        filled = [line[0].strip() for line in below if line and line[0].strip()]
        return not numbers and bool(filled) and all(NUMBER.fullmatch(cell) for cell in filled)
    return not numbers or _counts_up(numbers)


def _counts_up(numbers: list[str]) -> bool:
    """Whether they are such as years above columns: 1990, 1991, 1992."""
    if len(numbers) < 3 or not all(number.isdecimal() for number in numbers):
        return False
    return len({int(two) - int(one) for one, two in pairwise(numbers)}) == 1
