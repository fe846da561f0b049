"""A follow-up, read in the documents of its dialog, as the questions of QuAC's dialogs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.excerpt import Excerpt
from lacuna.corpus.passages import SectionFinder
from lacuna.corpus.store import Store
from lacuna.models.protocol import Reader
from lacuna.pipeline.gaps import dialog_gap
from lacuna.pipeline.query import Query
from lacuna.pipeline.quotes import quote, sentence_around
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import Candidate, Stage, Step
from lacuna.types import Answer, AnswerKind, Document, Evidence, Prediction, Question, Span, Turn


def dialog_texts(store: Store, query: Query, topic: str, *, characters: int) -> list[Excerpt]:
    """What the dialog began with, else where the last answer stood; then the topic's document.

    Of a document with more ``characters``, only the section of the last answer, or its beginning.
    """
    last = _last_place(query)
    begun = query.title or (last.document if last else "")
    documents = [_document(store, query.context, title) for title in (begun, topic) if title]
    if query.context is not None:
        documents.insert(0, query.context)
    once = {document.title: document for document in reversed(documents) if document}
    return [_excerpt(document, last, characters) for document in reversed(once.values())]


def read_in_dialog(
    store: Store, reader: Reader, query: Query, texts: Sequence[Excerpt]
) -> Result | None:
    """The surest answer of these texts, or none; None where there is no text."""
    if not texts:
        return None
    begun = perf_counter()
    questions = [_question(query, excerpt) for excerpt in texts]
    predictions = reader.read(questions, mode=AnswerMode.DIALOG)
    pairs = list(zip(texts, predictions, strict=True))
    excerpt, best = max(pairs, key=lambda pair: (not _is_none(pair[1]), _confidence(pair[1])))
    document = excerpt.original
    answer = best.answer or Answer.none()
    places = tuple(excerpt.evidence(place) for place in answer.found_at)
    titles = tuple(text.original.title for text in texts)
    gaps = (dialog_gap(store, query.question, titles),) if _is_none(best) else ()
    prediction = replace(best, answer=replace(answer, found_at=places), evidence=places, gaps=gaps)
    marks = [Span(place.start, place.end) for place in places]
    quotes = tuple(quote(document, sentence_around(document, *mark), (mark,)) for mark in marks)
    message = f"The dialog was about {' and '.join(titles)}" + (
        ": nothing there answers it." if _is_none(best) else f": {document.title} answers it."
    )
    milliseconds = 1000 * (perf_counter() - begun)
    candidates = tuple(_candidate(text, read, read is best) for text, read in pairs)
    step = Step(Stage.READ, 0, message, candidates, milliseconds)
    return Result(query.question, document, prediction, quotes, (step,))


def _last_place(query: Query) -> Evidence | None:
    places = (turn.answer.found_at for turn in reversed(query.history) if turn.answer)
    return next((of_turn[0] for of_turn in places if of_turn), None)


def _document(store: Store, context: Document | None, title: str) -> Document | None:
    if context is not None and context.title == title:
        return context
    resolved = store.resolve(title)
    return None if resolved is None else store.document(resolved)


def _excerpt(document: Document, last: Evidence | None, characters: int) -> Excerpt:
    if len(document.text) <= characters:
        return Excerpt.of(document, [(0, len(document.text))])
    section = None
    if last is not None and last.document == document.title:
        section = SectionFinder(document).at(last.start)
    if section is not None and section.end - section.start <= characters:
        return Excerpt.of(document, [(section.start, section.end)])
    ends = [paragraph.end for paragraph in document.paragraphs if paragraph.end <= characters]
    return Excerpt.of(document, [Span(0, max(ends, default=characters))])


def _question(query: Query, excerpt: Excerpt) -> Question:
    history = tuple(_turn_in(excerpt, turn) for turn in query.history)
    return Question("", query.question, excerpt.document, history=history)


def _turn_in(excerpt: Excerpt, turn: Turn) -> Turn:
    """A turn with its answer's places in the excerpt, as far as they are there."""
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


def _candidate(text: Excerpt, prediction: Prediction, best: bool) -> Candidate:
    answer = prediction.answer or Answer.none()
    chosen = best and not _is_none(prediction)
    return Candidate(text.original.title, _confidence(prediction), chosen, answer.text)


def _is_none(prediction: Prediction) -> bool:
    return prediction.answer is None or prediction.answer.kind is AnswerKind.NONE


def _confidence(prediction: Prediction) -> float:
    return prediction.confidence or 0.0
