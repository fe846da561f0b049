"""The stretch of a document around a hit, as it is read: whole sentences, about so long."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from lacuna.retrieve.windows import with_sentences
from lacuna.types import Document, Span

SIZE = 800
"""Characters that are read around a hit; about 180 tokens."""


def around(document: Document, start: int, end: int, size: int = SIZE) -> Span:
    """About ``size`` characters with the hit in their middle, in whole sentences of the document.

    At an edge of the document they reach further to the other side. The sentences of the hit are
    there in any case, but never more than twice ``size`` characters, however long they are.
    """
    length = len(document.text)
    begin = min(start - (size - (end - start)) // 2, length - size, start)
    begin = max(begin, 0)
    stop = min(max(begin + size, end), length)
    sentences = with_sentences(document).sentences
    # A sentence belongs to it if its middle does, or if the hit touches it.
    first = min(
        bisect_left(sentences, begin, key=_middle), bisect_right(sentences, start, key=_end)
    )
    last = max(bisect_right(sentences, stop, key=_middle), bisect_left(sentences, end, key=_start))
    if sentences[first:last]:
        begin, stop = sentences[first].start, sentences[last - 1].end
    if stop - begin > 2 * size:
        middle = (start + end) // 2
        begin = max(begin, min(middle - size, stop - 2 * size))
        stop = begin + 2 * size
    return Span(begin, stop)


def _start(sentence: Span) -> int:
    return sentence.start


def _middle(sentence: Span) -> int:
    return (sentence.start + sentence.end) // 2


def _end(sentence: Span) -> int:
    return sentence.end
