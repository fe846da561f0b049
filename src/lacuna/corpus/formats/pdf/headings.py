"""Headings and titles: from the outline of the file, and from how large a line is set."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import PurePosixPath

from lacuna.corpus.formats.pdf.extraction import RawDocument
from lacuna.corpus.formats.pdf.lines import Line
from lacuna.corpus.formats.pdf.paragraphs import CAPTION, Kind, TextBlock

HEADING_SIZE = 1.13
TITLE_SIZE = 1.2
LONGEST = 200
NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\.?\s+\S")
NUMBERING = re.compile(r"^(?:(?:chapter|appendix|section|part)\s+)?[\divxa-z]{0,4}[\d.:]*\s+", re.I)
NOT_LETTERS = re.compile(r"[\W_]+")
NOT_A_TITLE = re.compile(
    r"untitled|microsoft word\b.*|document\d*|title|.*\.(?:docx?|dvi|tex|pdf|indd|ps|rtf|qxd)",
    re.IGNORECASE,
)


def outline_headings(raw: RawDocument, lines: list[Line]) -> tuple[dict[int, int], dict[int, int]]:
    """The lines that bookmarks name: the number of the heading of each, and the levels of those."""
    waiting: dict[int, dict[str, int]] = defaultdict(dict)
    for level, title, page in raw.outline:
        for name in (_letters(title), _letters(NUMBERING.sub("", title))):
            if name:
                waiting[page].setdefault(name, level)
    best: dict[tuple[int, str], tuple[float, int, int, int]] = {}
    for at, line in enumerate(lines):
        titles = waiting.get(line.page, {})
        for length in (3, 2, 1) if titles else ():
            several = lines[at : at + length]
            if any(one.size != line.size or one.page != line.page for one in several):
                continue
            text = " ".join(one.text for one in several)
            if len(text) <= LONGEST and (found := _named(titles, text)):
                # A table of contents on the same page is set smaller, or stands before it.
                name, level = found
                candidate = (line.size, at, length, level)
                best[line.page, name] = max(candidate, best.get((line.page, name), candidate))
                break
    numbers: dict[int, int] = {}
    levels: dict[int, int] = {}
    for _, at, length, level in best.values():
        levels[at] = level
        numbers.update((id(one), at) for one in lines[at : at + length])
    return numbers, levels


def _named(titles: dict[str, int], text: str) -> tuple[str, int] | None:
    for name in (_letters(text), _letters(NUMBERING.sub("", text))):
        if name and name in titles:
            return name, titles[name]
    return None


def _letters(text: str) -> str:
    return NOT_LETTERS.sub("", text.casefold())


def set_levels(
    blocks: list[TextBlock], numbers: dict[int, int], levels: dict[int, int], body_size: float
) -> None:
    """Say which blocks are headings; what the outline does not name goes below what it names."""
    large = {round(b.size * 2) for b in blocks if _is_large(b, body_size)}
    ranks = {size: rank for rank, size in enumerate(sorted(large, reverse=True), 1)}
    above = 0
    first_page = blocks[0].lines[0].page if blocks else 0
    text_at = next((at for at, block in enumerate(blocks) if len(block.text) > LONGEST), 0)
    for at, block in enumerate(blocks):
        number = numbers.get(id(block.lines[0]))
        if number is not None:
            block.level = above = levels[number]
        elif (levels and not above) or (0 < at < text_at - 1 and block.lines[0].page == first_page):
            continue  # names of people and places below the title
        elif at + 1 < len(blocks) and id(blocks[at + 1].lines[0]) in numbers:
            continue  # "Chapter 2", above the name of the chapter
        elif _is_large(block, body_size):
            rank = ranks[round(block.size * 2)]
            block.level = above + 1 if levels else min(rank, 6)
        elif _is_bold_line(block) and at + 1 < len(blocks) and not blocks[at + 1].lines[0].bold:
            found = NUMBERED.match(block.text)
            depth = found[1].count(".") + 1 if found else 1
            block.level = above + 1 if levels else min(len(ranks) + depth, 8)
        if block.level:
            block.kind = Kind.TEXT


def _is_large(block: TextBlock, body_size: float) -> bool:
    text = block.text
    return (
        block.kind is not Kind.CODE
        and block.size >= HEADING_SIZE * body_size
        and len(block.lines) <= 4
        and 2 < len(text) <= LONGEST
        and sum(map(str.isalpha, text)) > len(text) / 2
    )


def _is_bold_line(block: TextBlock) -> bool:
    text = block.text
    return (
        block.kind is not Kind.CODE
        and len(block.lines) == 1
        and block.lines[0].bold
        and 3 < len(text) <= 100
        and len(block.lines[0].cells()) == 1
        and (text[0].isupper() or text[0].isdigit())
        and text[-1] not in ".,;:"
        and not CAPTION.match(text)
        and sum(map(str.isalpha, text)) > len(text) / 2
    )


def title_of(raw: RawDocument, blocks: list[TextBlock], body_size: float, file: str) -> str:
    """What the file calls itself, what its first page has in large letters, or the file's name."""
    told = " ".join(raw.metadata.get("Title", "").split())
    if 2 < len(told) <= LONGEST and any(map(str.isalpha, told)) and not NOT_A_TITLE.fullmatch(told):
        return told
    first = [
        block
        for block in blocks
        if block.lines[0].page == blocks[0].lines[0].page
        and block.size >= TITLE_SIZE * body_size
        and _is_large(block, body_size)
    ]
    largest = max(first, key=lambda block: block.size, default=None)
    return " ".join(largest.text.split()) if largest else PurePosixPath(file).stem
