"""The windows of one question: one that answers it, and the best found that do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lacuna.retrieve.around import around
from lacuna.train.data.evidence_sentences import sentences_at
from lacuna.train.data.found.sought import SPANS, Sought
from lacuna.types import Answer, Document, Evidence, Gold, Question, Span, SupportingFact

NEGATIVES = 3
"""Windows without an answer; one fewer beside the own passage of an unanswerable question."""

Found = tuple[Document, Span]
"""A window and the document that it is of."""


def labelled_windows(question: Question, gold: Sought, found: Iterable[Found]) -> list[Question]:
    """The question with each window alone as a document that was found, the answering one first.

    Nothing where no single window can hold the answer.
    """
    first: Found | None = None
    others: list[Found] = []
    if not gold.is_answerable:
        first = gold.document, around(gold.document, *gold.passage)
    most = NEGATIVES if gold.is_answerable else NEGATIVES - 1
    for document, window in found:
        if gold.held(document, window):
            first = first or (document, window)
        elif len(others) < most and not (
            gold.may_answer(document, window) or _is_among(others, document, window)
        ):
            others.append((document, window))
    first = first or (gold.document, _around_gold(gold))
    if gold.is_answerable and not gold.held(*first):
        return []
    return [
        _read_alone(question, number, gold, window)
        for number, window in enumerate([first, *others])
    ]


def _around_gold(gold: Sought) -> Span:
    """For a question whose passage the retriever did not find."""
    places = gold.answers[0].found_at
    return around(gold.document, min(at.start for at in places), max(at.end for at in places))


def _is_among(others: Iterable[Found], document: Document, window: Span) -> bool:
    """Whether more than half of a window was found before."""
    return any(
        document is other
        and 2 * (min(window.end, end) - max(window.start, start)) > window.end - window.start
        for other, (start, end) in others
    )


def _read_alone(question: Question, number: int, gold: Sought, found: Found) -> Question:
    document, window = found
    alone = Document(
        document.title,
        document.text[window.start : window.end],
        tuple(_inside(window, document.sentences)),
    )
    held = gold.held(document, window)
    answers = tuple(_moved(answer, window) for answer in held) or (Answer.none(),)
    facts: tuple[SupportingFact, ...] | None = None if held else ()
    if held and gold.evidence is not None:
        facts = sentences_at(alone, _inside(window, gold.evidence))
    return replace(
        question,
        id=f"{question.id}/{number}",
        context=None,
        documents=(alone,),
        gold=Gold(answers, supporting_facts=facts),
    )


def _inside(window: Span, places: Iterable[Span]) -> Iterator[Span]:
    """The places of a document that a window has, as places of the window."""
    for start, end in places:
        start, end = max(start, window.start), min(end, window.end)
        if start < end:
            yield Span(start - window.start, end - window.start)


def _moved(answer: Answer, window: Span) -> Answer:
    """The answer with its places in the window; yes and no need none."""
    places = answer.found_at if answer.kind in SPANS else ()
    return replace(
        answer,
        found_at=tuple(
            Evidence(at.document, at.start - window.start, at.end - window.start) for at in places
        ),
    )
