"""PDF files: one page of text each, with the page numbers that its parts stand on."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.pdf_extraction import PdfReader, RawDocument
from lacuna.corpus.formats.pdf_layout import (
    blocks_of,
    body_size_of,
    lines_in_order,
    outline_headings,
    pieces_of,
    set_levels,
    title_of,
    without_furniture,
    write_blocks,
)
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts
from lacuna.corpus.store import Skipped
from lacuna.places import PlaceUnit

PROBLEMS = {
    "password": "it is encrypted with a password; remove the password first",
    "broken": "it is damaged, or no PDF; open it in a PDF viewer and save or print it as PDF again",
    "slow": "reading it takes too long; open it in a PDF viewer and print it as PDF again",
    "memory": "reading it needs too much memory; split it into several files",
}
PROPERTIES = {"Author": "author", "Subject": "subject", "Keywords": "keywords"}
DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")
MOST_NAMED = 20

_reader = PdfReader()
atexit.register(_reader.close)


def parse_pdf(entry: Entry) -> Iterator[Page | Skipped]:
    """The text of a PDF file in reading order, less what its pages repeat."""
    raw = _reader.read(entry.data)
    if raw.problem:
        yield Skipped(entry.name, PROBLEMS.get(raw.problem, PROBLEMS["broken"]))
        return
    yield _page(entry.name, raw)


def _page(name: str, raw: RawDocument) -> Page | Skipped:
    notes = [raw.note] if raw.note else []
    pictures = [page.number for page in raw.read if page.picture]
    pages = without_furniture([lines_in_order(pieces_of(page)) for page in raw.read])
    lines = [line for page in pages for line in page]
    if not lines:
        return Skipped(name, _no_text(raw, len(pictures)))
    if pictures:
        notes.append(_named_pages(pictures))
    body_size = body_size_of(lines)
    numbers, levels = outline_headings(raw, lines)
    blocks = blocks_of(lines, numbers, body_size)
    set_levels(blocks, numbers, levels, body_size)
    builder = PageBuilder(title_of(raw, blocks, body_size, name))
    write_blocks(builder, blocks)
    add_facts(builder, _facts(raw))
    extra = {"note": "; ".join(notes)} if notes else {}
    return builder.page(name, unit=PlaceUnit.PAGE, extra=extra)


def _no_text(raw: RawDocument, pictures: int) -> str:
    if not pictures:
        return "it has no text"
    pages = "its page is a picture" if raw.pages == 1 else f"its {raw.pages} pages are pictures"
    return f"it has no text: {pages}; run it through OCR, such as ocrmypdf, first"


def _named_pages(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:MOST_NAMED]))
    more = f" and {len(numbers) - MOST_NAMED} more" if len(numbers) > MOST_NAMED else ""
    if len(numbers) == 1:
        return f"page {shown} is a picture without text"
    return f"pages {shown}{more} are pictures without text"


def _facts(raw: RawDocument) -> Iterator[Fact]:
    for key, shown in PROPERTIES.items():
        if value := " ".join(raw.metadata.get(key, "").split()):
            yield Fact(shown, value)
    if found := DATE.match(raw.metadata.get("CreationDate", "")):
        yield Fact("created", f"{found[1]}-{found[2]}-{found[3]}")
