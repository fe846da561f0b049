"""Lines to paragraphs: by the space between them, by indents, by where a line could go on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from lacuna.corpus.formats.pdf.lines import Line

WIDER = 1.17
"""Times the usual distance of lines: the space before a paragraph."""
LARGER = 1.1
INDENT = 0.7
"""Letter sizes."""
ENDED = re.compile(r"[.!?:;…][\"'”’»)\]]*$")
BULLET = re.compile(r"[•◦▪‣·∙●○■□–—*➢✓►]$")
LABEL = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-z]\)|\(?[ivx]{1,4}[.)]|\[\d{1,3}\]|\[[\w+]{2,12}\])$")
CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Algorithm|Listing)\s*\w", re.IGNORECASE)
LOOK_BACK = 8
"""Blocks between two halves of a paragraph, such as footnotes and figures."""


class Kind(Enum):
    """What a block is."""

    TEXT = auto()
    ITEM = auto()
    """One of several lines or paragraphs that belong together: an item of a list, a row."""
    CODE = auto()


class _Break(Enum):
    NONE = auto()
    LINE = auto()
    BLOCK = auto()


@dataclass(slots=True)
class TextBlock:
    """Lines that are read as one."""

    lines: list[Line]
    kind: Kind = Kind.TEXT
    level: int = 0  # of a heading

    @property
    def text(self) -> str:
        """Its words in one line."""
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        """That of its first letters."""
        return self.lines[0].size


def blocks_of(lines: list[Line], headings: dict[int, int], body_size: float) -> list[TextBlock]:
    """The paragraphs; ``headings`` are lines by identity, and the number of the heading of each."""
    pitches = _usual_pitches(lines)
    blocks: list[TextBlock] = []
    for line in lines:
        if blocks:
            current = blocks[-1]
            before = current.lines[-1]
            here, there = headings.get(id(line)), headings.get(id(before))
            if here is not None or there is not None:
                found = _Break.NONE if here == there else _Break.BLOCK
            else:
                found = _between(current, before, line, pitches, body_size)
            if found is _Break.NONE or (found is _Break.LINE and line.fixed):
                current.lines.append(line)
                continue
            if found is _Break.LINE:
                current.kind = Kind.ITEM
                blocks.append(TextBlock([line], Kind.ITEM))
                continue
        blocks.append(TextBlock([line], _kind(line)))
    return _rejoined(blocks, headings)


def body_size_of(lines: Iterable[Line]) -> float:
    """The size that most letters have."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _usual_pitches(lines: list[Line]) -> dict[float, float]:
    """For each letter size, how far apart lines stand most often."""
    seen: dict[float, Counter[float]] = {}
    for before, line in pairwise(lines):
        pitch = before.bottom - line.bottom
        together = (before.page, before.column, before.size) == (line.page, line.column, line.size)
        if together and 0.8 * line.size < pitch < 2.5 * line.size:
            seen.setdefault(line.size, Counter())[round(pitch * 4) / 4] += 1
    return {size: pitches.most_common(1)[0][0] for size, pitches in seen.items()}


def _kind(line: Line) -> Kind:
    if line.fixed:
        return Kind.CODE
    return Kind.ITEM if _labelled(line) else Kind.TEXT


def _labelled(line: Line) -> bool:
    first = line.words[0].text
    return len(line.words) > 1 and bool(BULLET.match(first) or LABEL.match(first))


def _between(
    block: TextBlock, before: Line, line: Line, pitches: dict[float, float], body_size: float
) -> _Break:
    size = line.size
    if (before.page, before.column) != (line.page, line.column):
        return _Break.NONE if _goes_on(before, line) else _Break.BLOCK
    pitch = before.bottom - line.bottom
    usual = pitches.get(size, 1.2 * size)
    if before.fixed or line.fixed:
        together = before.fixed and line.fixed and pitch < 1.9 * usual
        return _Break.LINE if together else _Break.BLOCK
    if max(size, before.size) > LARGER * min(size, before.size) or before.bold != line.bold:
        return _Break.BLOCK
    if size > LARGER * body_size:  # a heading goes on however short its lines are
        return _Break.NONE if pitch < 1.7 * size else _Break.BLOCK
    if pitch > WIDER * usual or pitch < -size:
        return _Break.BLOCK
    if before.words[-1].text.endswith("-") and line.text[:1].islower():
        return _Break.NONE
    return _by_edges(block, before, line)


def _by_edges(block: TextBlock, before: Line, line: Line) -> _Break:
    size = line.size
    ended = ENDED.search(before.text) is not None
    word = line.words[0]
    room = line.right_edge - before.right - 0.3 * size
    is_short = word.right - word.left + INDENT * size < room
    if _labelled(line) and (ended or is_short or BULLET.match(word.text)):
        return _Break.BLOCK
    if len(before.cells()) > 1 and len(line.cells()) > 1 and not _labelled(before):
        return _Break.LINE
    begun = len(block.lines)
    if line.left > before.left + INDENT * size:
        hanging = begun == 1 and block.kind is Kind.ITEM and _labelled(before)
        if not hanging and (ended or is_short):
            return _Break.BLOCK
    elif line.left < before.left - INDENT * size and (begun > 1 or block.kind is Kind.ITEM):
        return _Break.BLOCK
    if is_short:
        return _Break.BLOCK if ended else _Break.LINE
    return _Break.NONE


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a paragraph runs over the end of a column or page."""
    if before.fixed or line.fixed or before.bold != line.bold:
        return False
    same_size = max(before.size, line.size) <= LARGER * min(before.size, line.size)
    return same_size and not ENDED.search(before.text) and _begins_inside(line)


def _begins_inside(line: Line) -> bool:
    """Whether it begins as a sentence or a heading does not."""
    word = line.words[0].text
    return word[0].islower() or (word[0].isdigit() and "." in word and not _labelled(line))


def _rejoined(blocks: list[TextBlock], headings: Collection[int]) -> list[TextBlock]:
    """A paragraph that footnotes or figures stand in is put together again, before them."""
    result: list[TextBlock] = []
    for block in blocks:
        half = _first_half(block, result, headings)
        if half is None:
            result.append(block)
        else:
            half.lines += block.lines
    return result


def _first_half(
    block: TextBlock, before: list[TextBlock], headings: Collection[int]
) -> TextBlock | None:
    if block.kind is not Kind.TEXT or not before or not _begins_inside(block.lines[0]):
        return None
    last, first = before[-1].lines[-1], block.lines[0]
    if (last.page, last.column) == (first.page, first.column) or first.page - last.page > 1:
        return None
    for candidate in reversed(before[-LOOK_BACK:]):
        line = candidate.lines[-1]
        if candidate.kind is Kind.TEXT and id(line) not in headings and _goes_on(line, first):
            return candidate
        small = LARGER * candidate.size < block.size * 1.02
        if not (small or CAPTION.match(candidate.text) or candidate.kind is Kind.CODE):
            return None
    return None
