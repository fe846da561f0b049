"""Items of bullet and numbered lists, and columns of tables, as they stand in a document's text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lacuna.pipeline.shaping.surroundings import items_around, lines_of, trimmed
from lacuna.text import content_stems
from lacuna.types import Document, Span

LONGEST_ITEM = 25
"""Words; what is longer is prose, of which only the term before it is an item."""
LONGEST_TERM = 7
BETWEEN_CELLS = " | "

_MARK = re.compile(r"(?:[-*•‣◦–]|\(?[0-9]{1,2}[.):]|\(?[a-z][.)])\s+")
_AFTER_TERM = re.compile(r": |\s[–—-]\s")
_FIRST_SENTENCE = re.compile(r"[^.!?]+[.!?](?=\s)")
_LABEL = re.compile(r"([^|:]{1,80}): ")
_TRIM = " \t\n.,;:"


def list_around(document: Document, found: Span) -> tuple[Span, ...]:
    """The items of the list that a found stretch begins an item of; () if of none."""
    rows, here = _rows_around(document, found)
    if not rows or _is_table(document.text, rows):
        return ()
    # An item that ends in a colon begins a list of its own; where that ends is not written.
    first = max((i + 1 for i in range(here) if _leads_in(document.text, rows[i])), default=0)
    last = next((i for i in range(here, len(rows)) if _leads_in(document.text, rows[i])), len(rows))
    if not first <= here < last:
        return ()
    items = _items(document.text, rows[first:last])
    if not items or found.start > items[here - first].end:
        return ()  # it was found in the explanation of an item
    return items


def column_around(
    document: Document, found: Span, question: str, *, all_about_it: bool = False
) -> tuple[Span, ...]:
    """The cells of the column that was found a cell of, in the rows that the question is about.

    With ``all_about_it`` only where every such row has a word of the question.
    """
    rows, here = _rows_around(document, found)
    text = document.text
    if not rows or not _is_table(text, rows):
        return ()
    column = text.count(BETWEEN_CELLS, rows[here].start, found.start)
    about = _rows_about(text, rows, rows[here], question)
    if all_about_it and not _in_all([_shared(text, row, question) for row in about]):
        return ()
    return _column(text, about, column)


def list_after(document: Document, found: Span, question: str) -> tuple[Span, ...]:
    """The items that follow the line that something was found in, if that line leads in to them."""
    lines = lines_of(document)
    at = _line_of(lines, found)
    if at is None or at + 1 >= len(lines):
        return ()
    text = document.text
    between = text[lines[at].end : lines[at + 1].start]
    if between.strip() or between.count("\n") < 2 or not _leads_in(text, lines[at], titles=True):
        return ()
    rows = [lines[number] for number in items_around(document, lines, at + 1)]
    if len(rows) < 2:
        return ()
    if _is_table(text, rows):
        asked = set(content_stems(question))
        labels = [_label(cell) for cell in text[slice(*rows[0])].split(BETWEEN_CELLS)]
        named = (i for i, label in enumerate(labels) if asked & set(content_stems(label)))
        return _column(text, rows, next(named, 0))
    if any(_leads_in(text, row) for row in rows):
        return ()
    return _items(text, rows)


def _rows_around(document: Document, found: Span) -> tuple[list[Span], int]:
    """The lines that stand together with that of a found stretch, and which one that is."""
    lines = lines_of(document)
    at = _line_of(lines, found)
    if at is None:
        return [], 0
    numbers = items_around(document, lines, at)
    return [lines[number] for number in numbers], numbers.index(at)


def _line_of(lines: Sequence[Span], found: Span) -> int | None:
    return next(
        (
            at
            for at, line in enumerate(lines)
            if line.start <= found.start and found.end <= line.end
        ),
        None,
    )


def _leads_in(text: str, line: Span, *, titles: bool = False) -> bool:
    ending = text[line.start : line.end].rstrip()
    return ending.endswith(":") or (titles and bool(re.match(r"Table [0-9]", ending)))


def _is_table(text: str, rows: Sequence[Span]) -> bool:
    with_cells = sum(BETWEEN_CELLS in text[row.start : row.end] for row in rows)
    return with_cells * 2 > len(rows)


def _items(text: str, rows: Sequence[Span]) -> tuple[Span, ...]:
    """The terms of the items where most have one, else the items; () if they are prose."""
    if len(rows) < 2:
        return ()
    bare = [_unmarked(text, row) for row in rows]
    terms = [_term(text, item) for item in bare]
    if sum(term is not None for term in terms) * 3 >= len(rows) * 2:
        return tuple(term or _trimmed(text, item) for term, item in zip(terms, bare, strict=True))
    items = []
    for item in bare:
        if len(text[slice(*item)].split()) > LONGEST_ITEM:
            sentence = _FIRST_SENTENCE.match(text, item.start, item.end)
            if sentence is None or len(sentence[0].split()) > LONGEST_TERM:
                return ()
            item = Span(item.start, sentence.end())
        items.append(_trimmed(text, item))
    return tuple(items)


def _unmarked(text: str, line: Span) -> Span:
    mark = _MARK.match(text, line.start, line.end)
    return Span(mark.end(), line.end) if mark else line


def _term(text: str, item: Span) -> Span | None:
    """What stands before the colon or the dash of "term: explanation"."""
    after = _AFTER_TERM.search(text, item.start, item.end)
    if after is None or len(text[item.start : after.start()].split()) > LONGEST_TERM:
        return None
    term = _trimmed(text, Span(item.start, after.start()))
    return term if term.end > term.start else None


def _rows_about(text: str, rows: Sequence[Span], found: Span, question: str) -> Sequence[Span]:
    """Words of the question that only some rows have choose among the rows."""
    shared = {row: _shared(text, row, question) for row in rows}
    needed = shared[found] - _in_all(list(shared.values()))
    return [row for row in rows if needed <= shared[row]]


def _shared(text: str, row: Span, question: str) -> set[str]:
    return set(content_stems(question)) & set(content_stems(text[slice(*row)]))


def _in_all(groups: Sequence[set[str]]) -> set[str]:
    return set.intersection(*groups)


def _column(text: str, rows: Sequence[Span], column: int) -> tuple[Span, ...]:
    cells = [cell for row in rows if (cell := _cell(text, row, column)) is not None]
    return tuple(cells) if len(cells) > 1 else ()


def _cell(text: str, row: Span, column: int) -> Span | None:
    """A cell of a row without its label."""
    start = row.start
    for _ in range(column):
        at = text.find(BETWEEN_CELLS, start, row.end)
        if at < 0:
            return None
        start = at + len(BETWEEN_CELLS)
    end = text.find(BETWEEN_CELLS, start, row.end)
    cell = text[start : end if end >= 0 else row.end]
    label = _LABEL.match(cell)
    begin = start + (label.end() if label else 0)
    span = _trimmed(text, Span(begin, start + len(cell)))
    return span if span.end > span.start and text[slice(*span)] != "–" else None


def _label(cell: str) -> str:
    label = _LABEL.match(cell)
    return label[1] if label else ""


def _trimmed(text: str, span: Span) -> Span:
    return trimmed(text, span, _TRIM)
