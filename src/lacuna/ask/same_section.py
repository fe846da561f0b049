"""A follow-up, read in the section where the last answer stood, as QuAC's dialogs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Protocol

from lacuna.ask.asking import Asked
from lacuna.ask.quotes import quote, sentence_around
from lacuna.ask.result import Result
from lacuna.ask.trace import Candidate, Stage, Step
from lacuna.corpus.passages import SectionFinder
from lacuna.corpus.store import Store
from lacuna.find.excerpts import Excerpt
from lacuna.read.style import Style
from lacuna.types import Answer, AnswerKind, Document, Evidence, Prediction, Question, Span, Turn


class Reads(Protocol):
    """The model, as far as it is needed here."""

    def read(
        self, questions: Sequence[Question], *, style: Style = Style.ASK
    ) -> list[Prediction]: ...


def read_on(store: Store, reader: Reads, asked: Asked) -> Result | None:
    """What the section says; None where no answer of the talk stood anywhere yet."""
    begun = perf_counter()
    found = _place(store, asked)
    if found is None:
        return None
    document, section = found
    excerpt = Excerpt.of(document, [section])
    history = tuple(_seen_in(excerpt, turn) for turn in asked.history)
    question = Question("", asked.question, excerpt.document, history=history)
    (read,) = reader.read([question], style=Style.DIALOG)
    answer = read.answer or Answer.none()
    places = tuple(excerpt.evidence(place) for place in answer.found_at)
    answer = replace(answer, found_at=places)
    prediction = replace(read, answer=answer, evidence=places)
    marks = [Span(place.start, place.end) for place in places]
    quotes = tuple(quote(document, sentence_around(document, *mark), (mark,)) for mark in marks)
    none = answer.kind is AnswerKind.NONE
    where = SectionFinder(document).at(section.start)
    path = where.path if where else (document.title,)
    said = f"The talk was at {' › '.join(path)}, which " + ("does not say." if none else "answers.")
    candidate = Candidate(
        document.title, read.confidence or 0.0, not none, answer.text, *section, section=path
    )
    took = 1000 * (perf_counter() - begun)
    step = Step(Stage.READ, 0, said, (candidate,), took)
    return Result(asked.question, document, prediction, quotes, (step,))


def _place(store: Store, asked: Asked) -> tuple[Document, Span] | None:
    """The document and the section that the last answer was found in."""
    last = next((turn.answer for turn in reversed(asked.history) if _found(turn)), None)
    if last is None:
        return None
    at = last.found_at[0]
    if asked.passage is not None and asked.passage.title == at.document:
        document = asked.passage
    elif at.document in store:
        document = store.document(at.document)
    else:
        return None  # the document is gone since
    if at.end > len(document.text):
        return None  # or it has changed
    section = SectionFinder(document).at(at.start)
    return document, Span(section.start, section.end) if section else Span(0, len(document.text))


def _found(turn: Turn) -> bool:
    return turn.answer is not None and bool(turn.answer.found_at)


def _seen_in(excerpt: Excerpt, turn: Turn) -> Turn:
    """A turn whose answer's places are told as places in the excerpt, as far as they are there."""
    if turn.answer is None:
        return turn
    (piece,) = excerpt.pieces
    places = tuple(
        Evidence(place.document, place.start - piece.start, place.end - piece.start)
        for place in turn.answer.found_at
        if place.document == excerpt.original.title
        and piece.start <= place.start
        and place.end <= piece.end
    )
    return replace(turn, answer=replace(turn.answer, found_at=places))
