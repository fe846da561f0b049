"""What pages repeat around their text: running heads, feet, page numbers, tables of contents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from lacuna.corpus.formats.pdf.lines import Line

AT_EDGE = 3
"""Lines at the top and at the bottom of a page that may be furniture."""
SAME_HEIGHT = 3.0
NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
PAGE_NUMBER = re.compile(r"[\W_]*(?:page|seite|p\.)?\W*#\W*(?:of|von|/)?\W*#?[\W_]*")
LEADERS = re.compile(r"(?:(?:\. ){2,}|\.{4,}|…{2,}|(?:· ?){4,}|_{6,}).{0,3}(?:\d+|[ivxlc]+)$")


def without_furniture(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """The lines of each page, less what the page before or after has at the same height too."""
    edges = [_edges(page) for page in pages]
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
    return [
        [line for line in page if id(line) not in unwanted and not LEADERS.search(line.text)]
        for page in pages
    ]


def _edges(page: list[Line]) -> list[Line]:
    lines = sorted(page, key=lambda line: -line.bottom)
    return lines if len(lines) <= 2 * AT_EDGE else lines[:AT_EDGE] + lines[-AT_EDGE:]


def _pattern(text: str) -> str:
    return NUMBER.sub("#", text.casefold())


def _repeats(number: int, line: Line, other_number: int, other: Line) -> bool:
    return 0 < abs(number - other_number) <= 2 and abs(line.bottom - other.bottom) <= SAME_HEIGHT
