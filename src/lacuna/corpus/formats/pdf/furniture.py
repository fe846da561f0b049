"""What pages repeat around their text: running heads, feet, page numbers, tables of contents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from lacuna.corpus.formats.pdf.lines import Line
from lacuna.corpus.formats.pdf.paragraphs import LARGER, body_size_of

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
    """Whether two lines are the same; numbers in them may count the pages."""
    apart = other_number - number
    if not 0 < abs(apart) <= 2 or abs(line.bottom - other.bottom) > SAME_HEIGHT:
        return False
    pairs = zip(DIGITS.findall(line.text), DIGITS.findall(other.text), strict=False)
    return all(int(two) - int(one) in (0, apart) for one, two in pairs)
