"""The sentences that speak for an answer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from lacuna.corpus.passages import SectionFinder
from lacuna.pipeline.read import original_fact
from lacuna.pipeline.result import Quote
from lacuna.pipeline.state import QuestionState, Read
from lacuna.retrieve.windows import LONGEST
from lacuna.types import AnswerKind, Document, Prediction, Span

MOST = 4
SUPPORTING = 2
"""Sentences quoted for an answer that stands nowhere itself: yes, no, a count."""

AROUND = 200
"""Characters that are quoted on either side, where a sentence is too long to be one."""


def quotes(state: QuestionState, read: Read, prediction: Prediction) -> tuple[Quote, ...]:
    """The sentences that hold the answer or its operands; else those that support it most."""
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.NONE:
        return ()
    documents = {excerpt.original.title: excerpt.original for excerpt in read.texts.values()}
    marks: dict[tuple[str, Span], list[Span]] = {}
    for place in answer.found_at:
        document = documents[place.document]
        whole = sentence_around(document, place.start, place.end)
        marks.setdefault((place.document, whole), []).append(Span(place.start, place.end))
    if not marks:
        for title, span in _most_supporting(read):
            marks.setdefault((title, span), [])
    return tuple(
        quote(documents[title], span, found, state.followed.get(title))
        for (title, span), found in marks.items()
    )[:MOST]


def quote(
    document: Document, span: Span, marks: Sequence[Span] = (), followed: Span | None = None
) -> Quote:
    """A stretch of a document with the section that it stands in."""
    section = SectionFinder(document).at(span.start)
    return Quote(
        document.title,
        section.path if section else (),
        document.text[span.start : span.end],
        span.start,
        span.end,
        tuple(sorted(marks)),
        followed,
    )


def sentence_around(document: Document, start: int, end: int) -> Span:
    """The sentence (or the sentences) that a stretch stands in; of a table, what is around it."""
    starts = [sentence.start for sentence in document.sentences]
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, max(start, end - 1)) - 1
    if first < 0 or document.sentences[last].end < end:
        return Span(start, end)
    whole = Span(document.sentences[first].start, document.sentences[last].end)
    return whole if whole.end - whole.start <= LONGEST else _cut(document.text, whole, start, end)


def _cut(text: str, whole: Span, start: int, end: int) -> Span:
    """A part of a stretch with some words on both sides of what it is quoted for."""
    left = max(whole.start, start - AROUND)
    right = min(whole.end, end + AROUND)
    if left > whole.start:
        left = text.find(" ", left, start) + 1 or left
    if right < whole.end:
        space = text.rfind(" ", end, right)
        right = right if space < 0 else space
    return Span(left, right)


def _most_supporting(read: Read) -> list[tuple[str, Span]]:
    ranked = sorted(read.weighed.sentences, key=lambda pair: -pair[1])[:SUPPORTING]
    found = []
    for fact, _ in ranked:
        original = original_fact(read, fact)
        document = read.texts[fact.title].original
        found.append((document.title, document.sentences[original.sentence]))
    return found
