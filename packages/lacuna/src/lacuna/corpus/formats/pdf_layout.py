"""From what is drawn on PDF pages to headings, paragraphs and links in reading order."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise
from pathlib import PurePosixPath
from statistics import median
from typing import NamedTuple
from unicodedata import normalize

from lacuna.corpus.formats.pdf_extraction import RawDocument, RawLine, RawPage
from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.tables import BETWEEN_CELLS

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
        """Its left end."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Its right end."""
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
    """The pieces that are drawn on a page, in the order in which they are drawn, parted at wide
    gaps."""
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


# Reading order: find the columns of a page, and read one after the other.
#
# A gutter is a place that few lines cross. It parts columns of text, and not columns of a table,
# where the page draws one side before the other, or where lines fill both sides.


FEWEST_LINES = 4
"""On each side of a gutter."""
MOST_SPLITS = 3
"""The number of times that a column may be split again: pages with more than eight columns are none
of text."""


def lines_in_order(pieces: list[Line]) -> list[Line]:
    """All lines of a page as one reads them."""
    lines: list[Line] = []
    for number, column in enumerate(_columns(pieces, MOST_SPLITS)):
        lines += joined_lines(column, number)
    return lines


def _columns(pieces: list[Line], splits: int) -> list[list[Line]]:
    gutter = _gutter(pieces) if splits else None
    if gutter is None:
        return [pieces] if pieces else []
    columns: list[list[Line]] = []
    for band, crossing in _bands(pieces, gutter):
        if crossing:
            columns.append(band)
            continue
        left = [piece for piece in band if piece.right <= gutter]
        right = [piece for piece in band if piece.right > gutter]
        columns += _columns(left, splits - 1) + _columns(right, splits - 1)
    return columns


def _bands(pieces: list[Line], gutter: float) -> list[tuple[list[Line], bool]]:
    """The page from top to bottom: what crosses the gutter parts what stands beside it."""
    bands: list[tuple[list[Line], bool]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.top):
        crossing = piece.left < gutter < piece.right
        if not bands or bands[-1][1] != crossing:
            bands.append(([], crossing))
        bands[-1][0].append(piece)
    return bands


def _gutter(pieces: list[Line]) -> float | None:
    if len(pieces) < 2 * FEWEST_LINES:
        return None
    left = min(piece.left for piece in pieces)
    right = max(piece.right for piece in pieces)
    best, least = None, len(pieces) * 0.5
    for crossed, place in _gaps(pieces, left, right):
        if crossed < least and _parts_text(pieces, place):
            best, least = place, crossed
    return best


def _gaps(pieces: list[Line], left: float, right: float) -> list[tuple[int, float]]:
    """Places in the middle of the page, and how many pieces cross each; the emptiest first."""
    step = max(2.0, (right - left) / 200)
    first, last = left + 0.2 * (right - left), right - 0.2 * (right - left)
    size = int((last - first) / step) + 1 if last > first else 0
    changes = [0] * (size + 1)
    for piece in pieces:
        start = max(0, int((piece.left - first) / step) + 1)
        end = min(size, int((piece.right - first) / step) + 1)
        if start < end:
            changes[start] += 1
            changes[end] -= 1
    counts, crossing = [], 0
    for change in changes[:size]:
        crossing += change
        counts.append(crossing)
    runs: list[tuple[int, int, int]] = []  # pieces crossing, first place, last place
    for at, count in enumerate(counts):
        if runs and runs[-1][0] == count:
            runs[-1] = (count, runs[-1][1], at)
        else:
            runs.append((count, at, at))
    lowest = [
        run
        for at, run in enumerate(runs)
        if (at == 0 or runs[at - 1][0] > run[0])
        and (at == len(runs) - 1 or runs[at + 1][0] > run[0])
    ]
    lowest.sort()
    return [(count, first + step * (begin + end) / 2) for count, begin, end in lowest[:8]]


def _parts_text(pieces: list[Line], gutter: float) -> bool:
    sides = [piece.right > gutter for piece in pieces if not piece.left < gutter < piece.right]
    left = [piece for piece in pieces if piece.right <= gutter]
    right = [piece for piece in pieces if piece.left >= gutter]
    if min(len(left), len(right)) < FEWEST_LINES:
        return False
    returns = sum(1 for one, two in pairwise(sides) if one and not two)
    one_after_the_other = returns <= 1 + min(len(left), len(right)) // 10
    return (one_after_the_other and _tall(left) and _tall(right)) or (
        _fills(left) and _fills(right)
    )


def _tall(side: list[Line]) -> bool:
    """Tell if there are some lines above each other."""
    size = median(piece.size for piece in side)
    return max(p.top for p in side) - min(p.bottom for p in side) > FEWEST_LINES * size


def _fills(side: list[Line]) -> bool:
    """Tell if most lines reach from one end to the other, as those of a text do."""
    width = max(piece.right for piece in side) - min(piece.left for piece in side)
    long = [piece for piece in side if piece.right - piece.left > 0.8 * width]
    return len(long) > 0.5 * len(side) and median(len(p.words) for p in side) >= 4


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
    """The kind of a block."""

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
        """The size of its first letters."""
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
    """Tell if a paragraph runs over the end of a column or page."""
    if before.fixed or line.fixed or before.bold != line.bold:
        return False
    same_size = max(before.size, line.size) <= LARGER * min(before.size, line.size)
    return same_size and not ENDED.search(before.text) and _begins_inside(line)


def _begins_inside(line: Line) -> bool:
    """Tell if it begins as a sentence or a heading does not."""
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


AT_EDGE = 3
"""Lines at the top and at the bottom of a page that may be furniture."""
SAME_HEIGHT = 3.0
NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
DIGITS = re.compile(r"[0-9]{1,9}")
PAGE_NUMBER = re.compile(r"[\W_]*(?:page|seite|p\.)?\W*#\W*(?:of|von|/)?\W*#?[\W_]*")
LEADERS = re.compile(r"(?:(?:\. ){2,}|\.{4,}|…{2,}|(?:· ?){4,}|_{6,}).{0,3}(?:\d+|[ivxlc]+)$")


def without_furniture(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """The lines of each page, less what the page before or after has at the same height too."""
    largest = LARGER * body_size_of(line for page in pages for line in page)
    edges = [_edges(page, largest) for page in pages]
    groups: dict[str, list[tuple[int, Line]]] = defaultdict(list)
    for number, lines in enumerate(edges):
        for line in lines:
            groups[_pattern(line.text)].append((number, line))
    unwanted: set[int] = set()
    heights: Counter[int] = Counter()
    for pattern, group in groups.items():
        for at, (number, line) in enumerate(group):
            others = group[max(0, at - 4) : at] + group[at + 1 : at + 5]
            if any(_repeats(number, line, *other) for other in others) or (
                len(pages) < 3 and PAGE_NUMBER.fullmatch(pattern) and "#" in pattern
            ):
                unwanted.add(id(line))
                heights[round(line.bottom)] += 1
    # A head that names the section changes with it: what stands where all heads stand is one.
    usual = {height for height, times in heights.items() if times > 0.5 * len(pages) > 2}
    for lines in edges:
        for line in (lines[0], lines[-1]) if lines else ():
            if round(line.bottom) in usual:
                unwanted.add(id(line))
    unwanted |= _counting_pages(edges)
    kept = [
        [line for line in page if id(line) not in unwanted and not LEADERS.search(line.text)]
        for page in pages
    ]
    return kept if any(kept) else list(pages)


def _edges(page: list[Line], largest: float) -> list[Line]:
    """The first and last lines; large ones are titles, which slides repeat."""
    lines = sorted(page, key=lambda line: -line.bottom)
    edges = lines if len(lines) <= 2 * AT_EDGE else lines[:AT_EDGE] + lines[-AT_EDGE:]
    return [line for line in edges if line.size <= largest or DIGITS.fullmatch(line.text)]


def _counting_pages(edges: Sequence[list[Line]]) -> set[int]:
    """First and last lines that begin or end with the page's number, whatever else they say."""
    numbered: list[tuple[int, int]] = []  # how far ahead of the page its number is, and the line
    times: Counter[int] = Counter()
    for number, lines in enumerate(edges):
        found = {
            (int(word.text) - number, id(line))
            for line in ((lines[0], lines[-1]) if lines else ())
            for word in (line.words[0], line.words[-1])
            if DIGITS.fullmatch(word.text)
        }
        numbered += found
        times.update({ahead for ahead, _ in found})
    usual = {ahead for ahead, count in times.items() if count > 0.4 * len(edges) and count > 2}
    return {line for ahead, line in numbered if ahead in usual}


def _pattern(text: str) -> str:
    return NUMBER.sub("#", text.casefold())


def _repeats(number: int, line: Line, other_number: int, other: Line) -> bool:
    """Tell if two lines are the same; numbers in them may count the pages."""
    apart = other_number - number
    if not 0 < abs(apart) <= 2 or abs(line.bottom - other.bottom) > SAME_HEIGHT:
        return False
    pairs = zip(DIGITS.findall(line.text), DIGITS.findall(other.text), strict=False)
    return all(int(two) - int(one) in (0, apart) for one, two in pairs)


HEADING_SIZE = 1.13
TITLE_SIZE = 1.2
LONGEST = 200
NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\.?\s+\S")
NUMBERING = re.compile(r"^(?:(?:chapter|appendix|section|part)\s+)?[\divxa-z]{0,4}[\d.:]*\s+", re.I)
NOT_LETTERS = re.compile(r"[\W_]+")
NOT_A_TITLE = re.compile(
    r"untitled|about:blank|microsoft word\b.*|document\d*|title"
    r"|.*\.(?:docx?|dvi|tex|pdf|indd|ps|rtf|qxd)",
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
    """The title in the file, the large letters of its first page, or the file's name."""
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


PARTED = re.compile(r"\w-$")
UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]")
"""Chinese and Japanese, which are written without spaces."""
ADDRESS = re.compile(r"://|^www\.")
AFTER_HYPHEN = ("and", "or", "und", "oder", "et", "ou", "y", "e")
EDGES = re.compile(r"^\W+|\W+$")


def write_blocks(builder: PageBuilder, blocks: list[TextBlock]) -> None:
    """Add them all to a page."""
    known = _vocabulary(line for block in blocks for line in block.lines)
    for before, block in zip([None, *blocks], blocks, strict=False):
        if before is not None and not (before.kind is Kind.ITEM is block.kind):
            builder.end_list()
        if block.level:
            builder.open_heading(block.level)
        if block.kind is Kind.CODE and not block.level:
            _write_code(builder, block.lines)
        else:
            in_table = len(block.lines) == 1 and (
                block.kind is Kind.ITEM or len(block.lines[0].cells()) > 2
            )
            for at, line in enumerate(block.lines):
                following = block.lines[at + 1] if at + 1 < len(block.lines) else None
                _write_line(builder, line, following, known, in_table)
        if block.kind is Kind.ITEM and not block.level:
            builder.end_item()
        else:
            builder.end_block()
    builder.end_list()


def _vocabulary(lines: Iterable[Line]) -> set[str]:
    return {
        _bare(word.text)
        for line in lines
        for word in line.words[:-1]  # the last one may be half a word
    }


def _write_line(
    builder: PageBuilder, line: Line, following: Line | None, known: set[str], in_table: bool
) -> None:
    builder.mark(line.page)
    target = ""
    cells = line.cells() if in_table else [line.words]
    for number, cell in enumerate(cells):
        if number:
            builder.add(BETWEEN_CELLS if len(cells) > 2 or len(cells[0][0].text) > 3 else " ")
        for at, word in enumerate(cell):
            if word.target != target:
                builder.close_link()
                if word.target:
                    builder.open_written(word.target)
                target = word.target
            last = number == len(cells) - 1 and at == len(cell) - 1
            builder.add(_at_line_end(word, following, known) if last else word.text + " ")
    builder.close_link()


def _at_line_end(word: Word, following: Line | None, known: set[str]) -> str:
    """The last word of a line, and whether a space goes between it and the next one."""
    rest = following.words[0].text if following else ""
    if following and _is_address(word, following.words[0]):
        return word.text
    if UNSPACED.match(word.text[-1]) and UNSPACED.match(rest):
        return word.text
    if not rest or not PARTED.search(word.text):
        return word.text + " "
    if rest in AFTER_HYPHEN:  # "pre- and postwar"
        return word.text + " "
    return word.text if _keeps_hyphen(word.text, rest, known) else word.text[:-1]


def _is_address(word: Word, rest: Word) -> bool:
    """Tell if an address goes on in the next line."""
    if not ADDRESS.search(word.text):
        return False
    return (word.target != "" and word.target == rest.target) or word.text[-1] in "/=&_?-"


def _keeps_hyphen(word: str, rest: str, known: set[str]) -> bool:
    """Tell if the hyphen belongs to the word, as the rest of the text has it."""
    first, second = _bare(word), _bare(rest)
    if first + second in known:
        return False
    if not rest[:1].islower() or "-" in word[1:-1]:
        return True  # a name, a number, a chain: "Navier-Stokes", "1914-1918", "up-to-date"
    both_are_words = min(len(first), len(second)) > 3 and {first, second} <= known
    return both_are_words or f"{first}-{second}" in known


def _bare(word: str) -> str:
    return EDGES.sub("", word).casefold()


def _write_code(builder: PageBuilder, lines: list[Line]) -> None:
    left = min(line.left for line in lines)
    for line in lines:
        builder.mark(line.page)
        width = max(1.0, (line.right - line.left) / max(1, len(line.text)))
        indent = min(40, round((line.left - left) / width))
        builder.add_verbatim(" " * indent + _code_text(line, width) + "\n")


def _code_text(line: Line, width: float) -> str:
    text, before = "", line.left
    for word in line.words:
        spaces = round((word.left - before) / width)
        text += " " * max(1, min(spaces, 40)) * bool(text) + word.text
        before = word.right
    return text
