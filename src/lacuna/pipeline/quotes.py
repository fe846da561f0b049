"""The sentences that speak for an answer, and where there is none, what came nearest."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from lacuna.corpus.passages import SectionFinder
from lacuna.corpus.store import Store
from lacuna.pipeline.result import Quote, Result
from lacuna.pipeline.state import QuestionState, Reading
from lacuna.retrieve.windows import LONGEST
from lacuna.types import AnswerKind, Document, Prediction, Span

MOST = 4
SUPPORTING = 2
"""Sentences quoted for an answer that stands nowhere itself: yes, no, a count."""
AROUND = 200
"""Characters quoted on either side where a sentence is too long to be one."""
LONGEST_NEAREST = 300
"""Characters of what came nearest; it is shown as a hint, not as an answer."""


def quotes_for(state: QuestionState, reading: Reading, prediction: Prediction) -> tuple[Quote, ...]:
    """The sentences that hold the answer or its operands; else those that support it most."""
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.NONE:
        return ()
    documents = reading.documents
    marks: dict[tuple[str, Span], list[Span]] = {}
    for place in answer.found_at:
        document = documents[place.document]
        sentence = sentence_around(document, place.start, place.end)
        marks.setdefault((place.document, sentence), []).append(Span(place.start, place.end))
    if not marks:
        for title, span in _most_supporting(reading):
            marks.setdefault((title, span), [])
    return tuple(
        quote(documents[title], span, marked, state.followed.get(title))
        for (title, span), marked in marks.items()
    )[:MOST]


def quote(
    document: Document, span: Span, marks: Sequence[Span] = (), followed: Span | None = None
) -> Quote:
    """A stretch of a document with the section that it stands in, and its place in its file."""
    section = SectionFinder(document).at(span.start)
    shown = min(marks, default=span)
    return Quote(
        document.title,
        section.path if section else (),
        document.text[span.start : span.end],
        span.start,
        span.end,
        tuple(sorted(marks)),
        followed,
        document.origin.at(shown.start) if document.origin else None,
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


def nearest_quote(store: Store, result: Result) -> Quote | None:
    """The beginning of the nearest evidence of the first gap that has some."""
    evidence = next((gap.nearest for gap in result.prediction.gaps if gap.nearest), None)
    if evidence is None:
        return None
    if result.context is not None and result.context.title == evidence.document:
        document = result.context
    elif evidence.document in store:
        document = store.document(evidence.document)
    else:
        return None
    start, end = evidence.start, evidence.end
    if end - start > LONGEST_NEAREST:
        ends = [sentence.end for sentence in document.sentences if start < sentence.end <= end]
        short = (at for at in ends if at - start <= LONGEST_NEAREST)
        end = max(short, default=min(ends or [end]))
    return quote(document, Span(start, end))


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


def _most_supporting(reading: Reading) -> list[tuple[str, Span]]:
    best = sorted(reading.scored.sentences, key=lambda pair: -pair[1])[:SUPPORTING]
    spans = []
    for fact, _ in best:
        original = reading.original_fact(fact)
        document = reading.documents[original.title]
        spans.append((document.title, document.sentences[original.sentence]))
    return spans
