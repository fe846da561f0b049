"""Where the next answer stands, by where the previous one did (figure 5b of QuAC's paper).

A section is twelve chunks, and "no answer" is one more place; before the first turn there is a
place of its own. A previous answer that reaches over several chunks speaks for each of them, the
next one is where its middle is. The answer is the whole of the likeliest chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lacuna.datasets.baseline import AnswersQuestion
from lacuna.datasets.quac.baselines.section_sentences import span_prediction
from lacuna.datasets.quac.chunks import (
    CHUNKS,
    chunk_at,
    chunk_span,
    given_answer,
    place_of,
    section_length,
    touched_chunks,
)
from lacuna.datasets.quac.metric import is_unanswerable
from lacuna.types import Answer, AnswerKind, Document, Prediction, Question, Span

NO_ANSWER = CHUNKS
BEGINNING = CHUNKS + 1
Matrix = Sequence[Sequence[float]]


def learn_transitions(training: Iterable[Question]) -> AnswersQuestion:
    """Count the transitions, and answer with the likeliest place."""
    matrix = transition_matrix(training)

    def answer(question: Question) -> Prediction:
        place = next_place(matrix, question)
        section = question.context
        if place == NO_ANSWER or section is None or not section_length(section.text):
            return Prediction(Answer.none())
        return span_prediction(section, _whole_words(section, place))

    return answer


def learn_gold_transitions(training: Iterable[Question]) -> AnswersQuestion:
    """The same, except that questions without an answer are known."""
    answer_by_transition = learn_transitions(training)

    def answer(question: Question) -> Prediction:
        if is_unanswerable(question):
            return Prediction(Answer.none())
        return answer_by_transition(question)

    return answer


def transition_matrix(training: Iterable[Question]) -> Matrix:
    """The share of each next place, by the previous one."""
    counts = [[0.0] * (CHUNKS + 1) for _ in range(CHUNKS + 2)]
    for question in training:
        place = _place_of_answer(question)
        if place is not None:
            for before in previous_places(question):
                counts[before][place] += 1
    return [[count / (sum(row) or 1) for count in row] for row in counts]


def next_place(matrix: Matrix, question: Question) -> int:
    """The likeliest place after the previous answer."""
    rows = [matrix[before] for before in previous_places(question)]
    shares = [sum(column) for column in zip(*rows, strict=True)]
    return max(range(len(shares)), key=shares.__getitem__)


def previous_places(question: Question) -> Sequence[int]:
    """The chunks of the previous answer; an answer without a place counts as none."""
    if not question.history:
        return (BEGINNING,)
    section = section_length(question.context.text) if question.context else 0
    return touched_chunks(question.history[-1].answer, section) or (NO_ANSWER,)


def _place_of_answer(question: Question) -> int | None:
    answer = given_answer(question)
    if answer is None or question.context is None:
        return None
    if answer.kind is AnswerKind.NONE:
        return NO_ANSWER
    place, section = place_of(answer), section_length(question.context.text)
    if place is None or not section:
        return None
    return chunk_at((place.start + place.end) // 2, section)


def _whole_words(section: Document, chunk: int) -> Span:
    """A chunk without the halves of words at its ends; as it is where nothing else is in it."""
    start, end = chunk_span(chunk, section_length(section.text))
    text = section.text
    first, last = start, end
    while 0 < first < last and not text[first - 1].isspace():
        first += 1
    while first < last < len(text) and not text[last].isspace():
        last -= 1
    return Span(first, last) if text[first:last].strip() else Span(start, max(end, start + 1))
