"""Every answer that was read, with the chance that it is right; the likeliest first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from lacuna.pipeline.components import Components
from lacuna.pipeline.rating.answer_features import ReadAnswer, features_of
from lacuna.pipeline.shaping.comparisons import compared
from lacuna.pipeline.shaping.shaped_answer import shaped_reading
from lacuna.pipeline.state import QuestionState, Reading
from lacuna.types import Answer, AnswerKind, Prediction


class ConsideredAnswer(NamedTuple):
    """An answer in its documents, and what speaks for it and against it."""

    prediction: Prediction
    words: str
    """Answers with the same words are one answer."""
    features: dict[str, float]


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
        ConsideredAnswer(each.scored.prediction, _words(each.answer), features)
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
    best: dict[str, tuple[float, ReadAnswer]] = {}
    together: dict[str, float] = {}
    for each, chance in zip(read, chances, strict=True):
        words = _words(each.answer)
        together[words] = together.get(words, 0.0) + chance
        if words not in best or chance > best[words][0]:
            best[words] = chance, each
    rated = [
        RatedAnswer(each.scored.prediction, each.reading, together[words])
        for words, (_, each) in best.items()
    ]
    return sorted(rated, key=lambda answer: -answer.probability)


def _words(answer: Answer) -> str:
    return f"{answer.kind}: {' '.join(answer.text.casefold().split())}"


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
