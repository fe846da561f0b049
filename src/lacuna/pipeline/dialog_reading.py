"""A follow-up, read where the talk is, as the questions of QuAC's dialogs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Protocol

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.excerpt import Excerpt
from lacuna.pipeline.gaps import quoted
from lacuna.pipeline.query import Query
from lacuna.pipeline.quotes import quote, sentence_around
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import Candidate, Stage, Step
from lacuna.types import Answer, AnswerKind, Evidence, Gap, Prediction, Question, Span, Turn


class Reads(Protocol):
    """The model, as far as it is needed here."""

    def read(self, questions: Sequence[Question], *, mode: AnswerMode = ...) -> list[Prediction]:
        """One prediction for each question."""
        ...


def read_on(reader: Reads, asked: Query, places: Sequence[Excerpt]) -> Result | None:
    """The surest answer of these texts, or none; None where there is no text."""
    if not places:
        return None
    begun = perf_counter()
    questions = [_question(asked, excerpt) for excerpt in places]
    read = reader.read(questions, mode=AnswerMode.DIALOG)
    pairs = list(zip(places, read, strict=True))
    excerpt, best = max(pairs, key=lambda pair: (not _none(pair[1]), _sure(pair[1])))
    document = excerpt.original
    answer = best.answer or Answer.none()
    found = tuple(excerpt.evidence(place) for place in answer.found_at)
    gaps = (_gap(asked, places),) if _none(best) else ()
    prediction = replace(best, answer=replace(answer, found_at=found), evidence=found, gaps=gaps)
    marks = [Span(place.start, place.end) for place in found]
    quotes = tuple(quote(document, sentence_around(document, *mark), (mark,)) for mark in marks)
    names = " and ".join(place.original.title for place in places)
    said = f"The talk was about {names}" + (
        ": nothing there answers it." if _none(best) else f": {document.title} answers it."
    )
    took = 1000 * (perf_counter() - begun)
    candidates = tuple(_candidate(place, one, one is best) for place, one in pairs)
    return Result(
        asked.question,
        document,
        prediction,
        quotes,
        (Step(Stage.READ, 0, said, candidates, took),),
    )


def _gap(asked: Query, places: Sequence[Excerpt]) -> Gap:
    titles = tuple(place.original.title for place in places)
    said = f"What the talk was about does not answer it: {quoted(asked.question)}"
    return Gap(said, titles)


def _question(asked: Query, excerpt: Excerpt) -> Question:
    history = tuple(_seen_in(excerpt, turn) for turn in asked.history)
    return Question("", asked.question, excerpt.document, history=history)


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


def _candidate(place: Excerpt, read: Prediction, best: bool) -> Candidate:
    answer = read.answer or Answer.none()
    return Candidate(place.original.title, _sure(read), best and not _none(read), answer.text)


def _none(prediction: Prediction) -> bool:
    return prediction.answer is None or prediction.answer.kind is AnswerKind.NONE


def _sure(prediction: Prediction) -> float:
    return prediction.confidence or 0.0
