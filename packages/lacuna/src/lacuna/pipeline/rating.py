"""Every answer that was read, with the chance that it is right; the likeliest first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lacuna.models.reader.decode import asks_for_a_difference
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.comparing import compared
from lacuna.pipeline.fitting import ExpectedKind, expected_kind, fits, is_of_kind
from lacuna.pipeline.lookups import two_lookups
from lacuna.pipeline.second_look import second_features
from lacuna.pipeline.shaping import shaped_reading
from lacuna.pipeline.state import Components, QuestionState, Reading
from lacuna.types import Answer, AnswerKind, Evidence, Prediction, Span

AROUND = ".,;:!?\"'()[]“”‘’"
"""Signs around words that say nothing."""


def grouped(answers: Sequence[Answer], chances: Sequence[float]) -> list[list[int]]:
    """The numbers of the answers that say the same; in each group the likeliest comes first."""
    groups: list[list[int]] = []
    for number in sorted(range(len(answers)), key=lambda each: -chances[each]):
        for group in groups:
            if say_the_same(answers[group[0]], answers[number]):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def say_the_same(one: Answer, other: Answer) -> bool:
    """By their words; of numbers the amount counts, and a span may be part of a longer one.

    >>> say_the_same(Answer.span("Cargo.lock"), Answer.span("the Cargo.lock file"))
    True
    >>> say_the_same(Answer.span("lock"), Answer.span("locked"))
    False
    """
    if one.kind is not other.kind:
        return False
    if one.kind is AnswerKind.NUMBER and one.value is not None and other.value is not None:
        units = {one.unit, other.unit} - {""}
        return one.value == other.value and len(units) <= 1
    if one.text.casefold().split() == other.text.casefold().split():
        return True
    return one.kind is AnswerKind.SPAN and _is_part(*sorted((one.text, other.text), key=len))


def _is_part(short: str, long: str) -> bool:
    inner, outer = (
        [word.strip(AROUND) for word in text.casefold().split()] for text in (short, long)
    )
    places = range(len(outer) - len(inner) + 1)
    return bool(inner) and any(outer[at : at + len(inner)] == inner for at in places)


AROUND_PLACE = 400
"""Characters on either side of an answer in which other labels are looked for."""
YES_NO = (AnswerKind.YES, AnswerKind.NO)
MOST = 12.0
"""Beyond these log-odds nothing becomes surer."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What one reading answers, typed and placed in the documents."""

    answer: Answer
    scored: ScoredAnswer
    reading: Reading


class _Form(NamedTuple):
    """What the form of a question says of its answer: its kind, and that it must be calculated."""

    expected: ExpectedKind
    calculates: bool


def features_of(
    components: Components, state: QuestionState, read: Sequence[ReadAnswer]
) -> list[dict[str, float]]:
    """The features of each answer."""
    question = state.query.question
    asked = set(components.windows.terms(question))
    calculates = asks_for_a_difference(question) or two_lookups(question) is not None
    form = _Form(expected_kind(question), calculates)
    return [_features(components, each, asked, form) for each in read]


def _features(
    components: Components, own: ReadAnswer, asked: set[str], form: _Form
) -> dict[str, float]:
    scored, kind = own.scored, own.answer.kind
    margin = _bounded(scored.margin)
    yes_no = kind in (AnswerKind.YES, AnswerKind.NO)
    answer_words = components.windows.terms(own.answer.text)
    return {
        "margin": margin,
        "total": _bounded(scored.total),
        "relevance": _bounded(scored.relevance),
        "rank": math.log1p(own.reading.rank),
        "support": _support(own),
        "repeated": len(asked.intersection(answer_words)) / max(len(answer_words), 1),
        "fits": fits(own.answer, form.expected),
        "calculated": float(yes_no and bool(own.answer.expression)),
        "only_quoted": float(form.calculates and not own.answer.expression),
        "yes": float(kind is AnswerKind.YES),
        "number": float(kind is AnswerKind.NUMBER),
        "spans": float(kind is AnswerKind.SPANS),
        "yes_no": float(yes_no),
        "yes_no_total": _bounded(scored.total) * yes_no,
    }


def _support(own: ReadAnswer) -> float:
    """How much the sentence of the answer supports it; of yes and no, the best sentence."""
    place = next(iter(own.answer.found_at), None)
    scores = [
        score
        for fact, score in own.scored.sentences
        if place is None or _holds(*own.reading.sentence(fact), place)
    ]
    return _bounded(max(scores, default=-MOST))


def _holds(title: str, sentence: Span, place: Evidence) -> bool:
    return title == place.document and sentence.start <= place.start < sentence.end


def _bounded(value: float) -> float:
    return max(-MOST, min(MOST, value))


class ConsideredAnswer(NamedTuple):
    """An answer in its documents, and what speaks for it and against it."""

    prediction: Prediction
    features: dict[str, float]

    @property
    def answer(self) -> Answer:
        """The answer; never none."""
        assert self.prediction.answer is not None
        return self.prediction.answer


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answer in its documents, the reading that gave it, and how likely it is right."""

    prediction: Prediction
    reading: Reading
    probability: float

    @property
    def answer(self) -> Answer:
        """The answer; never none."""
        assert self.prediction.answer is not None
        return self.prediction.answer


def read_answers(components: Components, state: QuestionState) -> list[ReadAnswer]:
    """What each reading answers, typed and placed in the documents."""
    question = state.query.question
    read = []
    for reading in state.readings:
        if reading.scored.prediction.answer is not None:
            decided = _calculated(question, reading)
            scored = shaped_reading(decided, question, components.mode)
            assert scored.prediction.answer is not None
            if _may_be(question, scored.prediction.answer, reading):
                read.append(ReadAnswer(scored.prediction.answer, scored, reading))
                if components.second is not None and (other := _opposite(read[-1])) is not None:
                    read.append(other)
    return read


def _may_be(question: str, answer: Answer, reading: Reading) -> bool:
    """Whether an answer has the unit, the kind and the label of what was asked for."""
    place = answer.found_at[0] if len(answer.found_at) == 1 else None
    for excerpt in reading.selection.texts.values() if place else ():
        if place and excerpt.original.title == place.document:
            begin = max(0, place.start - AROUND_PLACE)
            around = excerpt.original.text[begin : place.end + AROUND_PLACE]
            return is_of_kind(answer, question, around, place.start - begin)
    return is_of_kind(answer, question)


def _opposite(own: ReadAnswer) -> ReadAnswer | None:
    """No in the place of yes, and yes in that of no: a second look judges both."""
    words = {AnswerKind.YES: Answer.no(), AnswerKind.NO: Answer.yes()}
    if own.answer.kind not in words or own.answer.expression:
        return None
    answer = replace(words[own.answer.kind], found_at=own.answer.found_at)
    left = max(-math.expm1(min(own.scored.total, 0.0)), math.exp(-MOST))
    margin = own.scored.margin - own.scored.total + math.log(left)
    prediction = replace(own.scored.prediction, answer=answer)
    scored = replace(own.scored, prediction=prediction, total=math.log(left), margin=margin)
    return ReadAnswer(answer, scored, own.reading)


def _calculated(question: str, reading: Reading) -> Reading:
    """Where yes or no can be calculated from amounts or dates of the text, that counts."""
    scored = reading.scored
    if scored.kind not in YES_NO:
        return reading
    texts = [excerpt.document for excerpt in reading.selection.texts.values()]
    comparison = compared(question, texts)
    if comparison is None:
        return reading
    prediction = replace(scored.prediction, answer=comparison.answer, evidence=comparison.found_at)
    return replace(reading, scored=replace(scored, prediction=prediction))


def considered_answers(components: Components, state: QuestionState) -> list[ConsideredAnswer]:
    """What each reading answers, with the features that it is rated by."""
    read = read_answers(components, state)
    features, _ = _rated(components, state, read)
    return [
        ConsideredAnswer(each.scored.prediction, own)
        for each, own in zip(read, features, strict=True)
    ]


def _rated(
    components: Components, state: QuestionState, read: Sequence[ReadAnswer]
) -> tuple[list[dict[str, float]], list[float]]:
    """The features of each answer and its chance, after a second look where there is one."""
    scorer = components.scorer
    assert scorer is not None
    features = features_of(components, state, read)
    chances = scorer.probabilities(features)
    if components.second is None:
        return features, chances
    pairs = [(each.answer, each.reading) for each in read]
    looks = second_features(components, state, pairs, chances)
    features = [{**own, **look} for own, look in zip(features, looks, strict=True)]
    return features, scorer.probabilities(features)


def rated_answers(components: Components, state: QuestionState) -> tuple[RatedAnswer, ...]:
    """One for each different answer, the likeliest first; what several texts say counts together.

    The best of its readings stands for an answer. They are rated anew when more was read.
    """
    if state.rated_readings == len(state.readings):
        return state.rated
    read = read_answers(components, state)
    _, chances = _rated(components, state, read)
    rated = []
    for group in grouped([each.answer for each in read], chances):
        best, together = read[group[0]], math.fsum(chances[number] for number in group)
        rated.append(RatedAnswer(best.scored.prediction, best.reading, together))
    state.rated = tuple(sorted(rated, key=lambda answer: -answer.probability))
    state.rated_readings = len(state.readings)
    return state.rated


def chooses(components: Components, state: QuestionState) -> bool:
    """Whether all answers that were read are rated, and the likeliest is taken.

    Of a context that came with the question everything is read together instead: its answers rest
    on several texts, and what was fitted on passages that were found does not hold for them.
    """
    return components.scorer is not None and state.focus is None


def is_sure(components: Components, state: QuestionState) -> bool:
    """Whether an answer was read that makes looking further needless."""
    if not chooses(components, state):
        return False
    best = next(iter(rated_answers(components, state)), None)
    return best is not None and best.probability >= components.config.sure_enough
