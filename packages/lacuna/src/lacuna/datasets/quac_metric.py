"""QuAC's scorer, and where in its section an answer stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from lacuna.answers import CANNOT_ANSWER, text_from_answer
from lacuna.metrics.metric import Metric, Row, normalise, overlap
from lacuna.types import (
    Answer,
    AnswerKind,
    DialogActs,
    Evidence,
    FollowUp,
    Prediction,
    Question,
    Span,
    YesNo,
)

CHUNKS = 12


def section_length(text: str) -> int:
    """The characters of a section without the word that stands for no answer at its end.

    >>> section_length("It sails. CANNOTANSWER")
    9
    """
    return len(text.removesuffix(CANNOT_ANSWER).rstrip())


def chunk_at(position: int, section: int) -> int:
    """The chunk that a character of a section of that length is in.

    >>> chunk_at(60, 120)
    6
    """
    return min(CHUNKS - 1, CHUNKS * position // section)


def chunk_span(number: int, section: int) -> Span:
    """The characters of one chunk."""
    return Span(section * number // CHUNKS, section * (number + 1) // CHUNKS)


def touched_chunks(answer: Answer | None, section: int) -> range:
    """The chunks that an answer has a part in; none where it stands nowhere."""
    place = place_of(answer)
    if place is None or not section:
        return range(0)
    last = max(place.start, place.end - 1)
    return range(chunk_at(place.start, section), chunk_at(last, section) + 1)


def place_of(answer: Answer | None) -> Evidence | None:
    """The place of an answer; None for no answer, or if the place is not known."""
    if answer is None or answer.kind is AnswerKind.NONE or not answer.found_at:
        return None
    return answer.found_at[0]


def given_answer(question: Question) -> Answer | None:
    """The answer that the dialog went on with; the first reference where the file has none."""
    if question.gold is None:
        return None
    return question.gold.given or next(iter(question.gold.answers), None)


HEQ, DHEQ = 2, 3
T = TypeVar("T")
LEAST_HUMAN_F1 = 0.4
"""Questions on which the annotators agree less than this do not count."""
ABSTENTION = Prediction(Answer.none(), acts=DialogActs(YesNo.NEITHER, FollowUp.NO))


class QuacMetric(Metric):
    """A missing prediction counts as wrong everywhere, low agreement or not."""

    scale = 100.0
    measures = (
        "unfiltered_f1",
        "f1",
        "HEQ",
        "DHEQ",
        "yes/no",
        "followup",
        "unanswerable_acc",
    )
    of_fewer = {"f1": "unfiltered_f1"}  # noqa: RUF012 - as the base class has it
    of_groups = frozenset({"DHEQ"})
    main = ("f1", "HEQ", "DHEQ", "yes/no", "followup", "unfiltered_f1")  # as table 4 has them

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        unanswerable, references = _references(question)
        human = _human_f1(references)
        missing = prediction is None or prediction.answer is None
        f1 = 0.0
        if prediction and prediction.answer:
            f1 = _f1(normalise(text_from_answer(prediction.answer, CANNOT_ANSWER)), references)
        # The official script passes over a question of low agreement only if it was answered.
        counts = missing or human >= LEAST_HUMAN_F1
        wanted = question.gold.acts or DialogActs()
        given = (prediction and prediction.acts) or DialogActs()
        if not counts:
            return (f1, *(None,) * 6)
        return (
            f1,
            f1,
            float(not missing and f1 >= human),
            None,  # DHEQ: filled in when the dialog is complete
            _same(given.yes_no, wanted.yes_no, missing),
            _same(given.follow_up, wanted.follow_up, missing),
            f1 if unanswerable else None,
        )

    def human(self, question: Question) -> Row:
        """One reference against the others in turn; by definition each is as good as a human.

        Files hold one annotation of the dialog acts, so that agreement on these is not known.
        """
        unanswerable, references = _references(question)
        f1 = _human_f1(references)
        counted = f1 if f1 >= LEAST_HUMAN_F1 else None
        equal = None if counted is None else 1.0
        return f1, counted, equal, None, None, None, counted if unanswerable else None

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION

    def kind(self, question: Question) -> AnswerKind:
        return AnswerKind.NONE if is_unanswerable(question) else AnswerKind.SPAN

    def finish(self, groups: Sequence[int], rows: list[Row]) -> list[Row]:
        """A dialog is as good as a human's if each of its questions is; its last one tells."""
        finished = list(rows)
        for _, group in groupby(range(len(rows)), key=groups.__getitem__):
            dialog = list(group)
            good = float(all(rows[at][HEQ] != 0.0 for at in dialog))
            last = rows[dialog[-1]]
            finished[dialog[-1]] = (*last[:DHEQ], good, *last[DHEQ + 1 :])
        return finished


def _same(given: str | None, wanted: str | None, missing: bool) -> float | None:
    return None if wanted is None else float(not missing and given == wanted)


def is_unanswerable(question: Question) -> bool:
    """Tell if a question has no answer, as the majority of its annotators decides."""
    return _references(question)[0]


def _references(question: Question) -> tuple[bool, tuple[str, ...]]:
    """Tell if there is no answer, as the majority decides, and the references, normalised."""
    assert question.gold is not None
    answers = question.gold.answers
    spans = [answer for answer in answers if answer.kind is not AnswerKind.NONE]
    if 2 * len(spans) <= len(answers):
        return True, (normalise(CANNOT_ANSWER),)
    return False, tuple(normalise(answer.texts[0]) for answer in spans)


@lru_cache(maxsize=8)  # a question's is asked for by prediction, floor and human row in a row
def _human_f1(references: tuple[str, ...]) -> float:
    """The score of each annotator against the others, on average."""
    if len(references) == 1:
        return 1.0
    total = 0.0
    for index, reference in enumerate(references):
        total += max(overlap(reference, other).f1 for other in _others(references, index))
    return total / len(references)


def _f1(prediction: str, references: Sequence[str]) -> float:
    """The best F1 over the references, leaving one of them out in turn."""
    each = [overlap(prediction, reference).f1 for reference in references]
    if len(each) == 1:
        return each[0]
    total = 0.0
    for index in range(len(each)):
        total += max(_others(each, index))
    return total / len(each)


def _others(values: Sequence[T], index: int) -> list[T]:
    return [*values[:index], *values[index + 1 :]]
