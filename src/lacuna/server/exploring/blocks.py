"""The blocks of a document, from what was kept of its structure beside the plain text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from lacuna.server.exploring.pictures import with_pictures
from lacuna.server.schemas.documents import (
    BlockKind,
    BlockSchema,
    CellSchema,
    PictureSchema,
    RowSchema,
    StyleKind,
    StyleSchema,
)
from lacuna.types import Document, Markup, MarkupKind, Span

STYLES = {
    MarkupKind.STRONG: StyleKind.STRONG,
    MarkupKind.EMPHASIS: StyleKind.EMPHASIS,
    MarkupKind.INLINE_CODE: StyleKind.CODE,
}
BLOCKS = {MarkupKind.ITEM: BlockKind.ITEM, MarkupKind.CODE: BlockKind.CODE}


def blocks_of(document: Document, pictures: Iterable[PictureSchema] = ()) -> list[BlockSchema]:
    """All of the text in blocks, with the pictures where they stand."""
    return with_pictures(_text_blocks(document), pictures)


def _text_blocks(document: Document) -> list[BlockSchema]:
    """The rows of a table, each a paragraph of the text, are one block."""
    headings = {mark.start: mark for mark in _headings(document)}
    structure = _by_start(document.markup)
    blocks: list[BlockSchema] = []
    for span in _all_text(document, headings.values()):
        marks = structure.get(span.start, [])
        block = _block(span, headings.get(span.start), marks)
        if any(mark.kind is MarkupKind.ROW for mark in marks):
            row = RowSchema(start=span.start, end=span.end, cells=_cells(document.markup, span))
            before = blocks[-1] if blocks else None
            if before and before.rows and document.text[before.end : span.start] == "\n":
                before.rows.append(row)
                before.end = span.end
                continue
            block.kind, block.rows = BlockKind.TABLE, [row]
        blocks.append(block)
    return blocks


def styles_of(document: Document) -> list[StyleSchema]:
    """The words that stand out."""
    return [
        StyleSchema(kind=STYLES[mark.kind], start=mark.start, end=mark.end)
        for mark in document.markup
        if mark.kind in STYLES
    ]


def _block(span: Span, heading: Markup | None, marks: Sequence[Markup]) -> BlockSchema:
    block = BlockSchema(
        kind=BlockKind.HEADING if heading else BlockKind.PARAGRAPH,
        start=span.start,
        end=span.end,
        level=heading.level if heading else 0,
        number=None,
        continues=False,
        quoted=any(mark.kind is MarkupKind.QUOTE for mark in marks),
        rows=[],
        pictures=[],
    )
    for mark in marks:
        if mark.kind in BLOCKS and not heading:
            block.level = max(block.level, mark.level)
            block.number = mark.number if mark.number > 0 else block.number
            block.continues = block.continues or mark.number < 0
            if block.kind is not BlockKind.CODE:
                block.kind = BLOCKS[mark.kind]
    return block


def _headings(document: Document) -> Iterator[Markup]:
    """The headings; of a document whose markup was not kept, those that its sections begin with."""
    if document.markup:
        yield from (mark for mark in document.markup if mark.kind is MarkupKind.HEADING)
        return
    for section in document.sections:
        end = document.text.find("\n", section.start)
        end = len(document.text) if end < 0 else end
        line = document.text[section.start : end]
        if len(section.path) > 1 and " ".join(line.split()) == section.path[-1]:
            yield Markup(MarkupKind.HEADING, section.start, end, len(section.path) - 1)


def _all_text(document: Document, headings: Iterable[Markup]) -> Iterator[Span]:
    """The headings and paragraphs in order, with what lies between them, blank space left out."""
    known = sorted({*(Span(one.start, one.end) for one in headings), *document.paragraphs})
    at = 0
    for span in known:
        if span.start < at or span.start == span.end:  # it lies in another one, or says nothing
            continue
        yield from _unless_blank(document.text, at, span.start)
        yield span
        at = span.end
    yield from _unless_blank(document.text, at, len(document.text))


def _unless_blank(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    if stripped := part.strip():
        first = start + len(part) - len(part.lstrip())
        yield Span(first, first + len(stripped))


def _by_start(markup: Sequence[Markup]) -> dict[int, list[Markup]]:
    found: dict[int, list[Markup]] = {}
    for mark in markup:
        found.setdefault(mark.start, []).append(mark)
    return found


def _cells(markup: Sequence[Markup], row: Span) -> list[CellSchema]:
    cells: list[CellSchema] = []
    label: Span | None = None
    for mark in markup[bisect_left(markup, row.start, key=lambda mark: mark.start) :]:
        if mark.start >= row.end:
            break
        if mark.kind is MarkupKind.LABEL:
            label = Span(mark.start, mark.end)
        elif mark.kind is MarkupKind.CELL:
            cells.append(CellSchema(start=mark.start, end=mark.end, label=label))
            label = None
    return cells
