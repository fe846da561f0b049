"""Every answer that was read, with the chance that it is right; the likeliest first."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from lacuna.pipeline.components import Components
from lacuna.pipeline.rating.answer_features import ReadAnswer, features_of
from lacuna.pipeline.rating.same_answers import grouped
from lacuna.pipeline.shaping.comparisons import compared
from lacuna.pipeline.shaping.shaped_answer import shaped_reading
from lacuna.pipeline.state import QuestionState, Reading
from lacuna.types import Answer, AnswerKind, Prediction


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
    read = []
    for reading in state.readings:
        if reading.scored.prediction.answer is None:
            continue
        question = state.query.question
        scored = shaped_reading(_calculated(question, reading), question, components.mode)
        assert scored.prediction.answer is not None
        read.append(ReadAnswer(scored.prediction.answer, scored, reading))
    return read


def _calculated(question: str, reading: Reading) -> Reading:
    """Where yes or no can be calculated from amounts or dates of the text, that counts."""
    scored = reading.scored
    if scored.kind not in (AnswerKind.YES, AnswerKind.NO):
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
    return [
        ConsideredAnswer(each.scored.prediction, features)
        for each, features in zip(read, features_of(components, state, read), strict=True)
    ]


def rated_answers(components: Components, state: QuestionState) -> list[RatedAnswer]:
    """One for each different answer, the likeliest first; what several texts say counts together.

    The best of its readings stands for an answer.
    """
    scorer = components.scorer
    assert scorer is not None
    read = read_answers(components, state)
    chances = scorer.probabilities(features_of(components, state, read))
    rated = []
    for group in grouped([each.answer for each in read], chances):
        best, together = read[group[0]], math.fsum(chances[number] for number in group)
        rated.append(RatedAnswer(best.scored.prediction, best.reading, together))
    return sorted(rated, key=lambda answer: -answer.probability)


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
