"""Lines of a page: what is drawn side by side is put together again, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple
from unicodedata import normalize

from lacuna.corpus.formats.pdf.extraction import RawLine, RawPage

CELL_GAP = 1.5
"""Letter sizes between two words that belong to different cells or columns."""
LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
    | dict.fromkeys("\u200b\u200c\u200d\ufeff\u0000", None)
)
MATHEMATICAL = re.compile(r"[\U0001d400-\U0001d7ff]+")
"""Letters of formulas, which stand for the plain ones."""
ACCENTS = dict(zip("´¨˜ˆˇ˚˘¯", "\u0301\u0308\u0303\u0302\u030c\u030a\u0306\u0304", strict=True))
ACCENTED = re.compile(f"([{''.join(ACCENTS)}])([^\\W\\d_])")
"""Accents that were drawn before their letters, as TeX long did."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Word(NamedTuple):
    """A word, its left and right end, and where it leads if it is part of a link."""

    text: str
    left: float
    right: float
    target: str = ""


@dataclass(slots=True)
class Line:
    """Words on one height of one column of one page."""

    page: int
    bottom: float
    top: float
    size: float
    fixed: bool
    bold: bool
    words: list[Word]
    column: int = 0
    right_edge: float = 0.0  # of its column

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.words[-1].right

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(word.text for word in self.words)

    def cells(self) -> list[list[Word]]:
        """Its words, parted where the space between them is wide."""
        cells = [[self.words[0]]]
        for before, word in pairwise(self.words):
            if word.left - before.right > CELL_GAP * self.size:
                cells.append([])
            cells[-1].append(word)
        return cells


def pieces_of(page: RawPage) -> list[Line]:
    """What is drawn on a page, in the order in which it is drawn, parted at wide gaps."""
    pieces: list[Line] = []
    for raw in page.lines:
        words = list(_words(raw, page.links))
        if not words or raw.size <= 0:
            continue
        line = Line(page.number, raw.bottom, raw.top, raw.size, raw.fixed, raw.bold, words)
        pieces += [replace(line, words=cell) for cell in line.cells()]
    return pieces


def _words(raw: RawLine, links: Sequence[tuple[float, float, float, float, str]]) -> Iterator[Word]:
    middle = (raw.bottom + raw.top) / 2
    here = [link for link in links if link[1] <= middle <= link[3]]
    for text, left, right in raw.words:
        clean = text if text.isascii() and text.isprintable() else _clean(text)
        if clean:
            centre = (left + right) / 2
            target = next((link[4] for link in here if link[0] <= centre <= link[2]), "")
            yield Word(clean, left, max(left, right), target)


def _clean(text: str) -> str:
    clean = CONTROL.sub("", text.translate(LIGATURES))
    clean = ACCENTED.sub(_accented, clean)
    return MATHEMATICAL.sub(lambda found: normalize("NFKC", found[0]), clean)


def _accented(found: re.Match[str]) -> str:
    letter = found[2].replace("ı", "i")
    one = normalize("NFC", letter + ACCENTS[found[1]])
    return one if len(one) == 1 else found[0]


def joined_lines(pieces: list[Line], column: int) -> list[Line]:
    """The pieces of one column from top to bottom; those of one height become a line."""
    lines: list[Line] = []
    for piece in sorted(pieces, key=lambda piece: (-piece.top, piece.left)):
        if lines and _same_height(lines[-1], piece):
            _join(lines[-1], piece)
        else:
            lines.append(piece)
    edge = max((line.right for line in lines), default=0.0)
    for line in lines:
        line.words.sort(key=lambda word: word.left)
        line.column, line.right_edge = column, edge
    return lines


def _same_height(line: Line, piece: Line) -> bool:
    shared = min(line.top, piece.top) - max(line.bottom, piece.bottom)
    lower = min(line.top - line.bottom, piece.top - piece.bottom)
    return shared > 0.5 * lower


def _join(line: Line, piece: Line) -> None:
    if len(piece.text) > len(line.text):
        line.bottom, line.top, line.size = piece.bottom, piece.top, piece.size
    line.fixed = line.fixed and piece.fixed
    line.bold = line.bold and piece.bold
    line.words += piece.words
