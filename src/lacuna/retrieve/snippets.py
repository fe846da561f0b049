"""The part of a passage that best shows why it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.protocol import Snippet
from lacuna.types import Span

WIDTH = 240


def make_snippet(
    text: str, passage: Span, terms: Collection[str], analyzer: Analyzer, width: int = WIDTH
) -> Snippet:
    """The part of the passage with most of the terms in it, the first if several do."""
    tokens = analyzer.tokens(text[passage.start : passage.end])
    wanted = [token for token in tokens if token.term in terms]
    inside: Counter[str] = Counter()
    best, first, best_first = 0, 0, 0
    for last, token in enumerate(wanted):
        inside[token.term] += 1
        while token.end - wanted[first].start > width and first < last:
            inside[wanted[first].term] -= 1
            first += 1
        if (distinct := sum(count > 0 for count in inside.values())) > best:
            best, best_first = distinct, first
    start = passage.start + (wanted[best_first].start if wanted else 0)
    start, end = _whole_words(text, passage, start, width)
    marks = (Span(passage.start + token.start, passage.start + token.end) for token in wanted)
    return Snippet(
        text[start:end],
        start,
        end,
        tuple(mark for mark in marks if start <= mark.start and mark.end <= end),
    )


def _whole_words(text: str, passage: Span, start: int, width: int) -> tuple[int, int]:
    """Some words before the first mark too, and no word cut in two at either end."""
    start = max(passage.start, min(start - width // 6, passage.end - width))
    end = min(start + width, passage.end)
    if start > passage.start:
        space = text.find(" ", start, end)
        start = space + 1 if space >= 0 else start
    if end < passage.end:
        space = text.rfind(" ", start, end)
        end = space if space > start else end
    return start, end
