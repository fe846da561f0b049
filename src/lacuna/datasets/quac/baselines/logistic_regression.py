"""A logistic regression that chooses a sentence of the section, or no answer."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from lacuna.datasets.baseline import AnswersQuestion
from lacuna.datasets.quac.baselines.section_sentences import sentences_of_section, span_prediction
from lacuna.datasets.quac.baselines.sentence_features import WIDTH, candidates
from lacuna.datasets.quac.chunks import given_answer, place_of
from lacuna.errors import LacunaError
from lacuna.types import Answer, AnswerKind, Prediction, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]

MOST_QUESTIONS = 20_000
"""The first of a training file that are learned from: enough for some fifty weights."""
PENALTY = 1e-4
"""Of the squared weights, so that a feature that is seen once cannot run away."""


def learn_sentence_choice(training: Iterable[Question]) -> AnswersQuestion:
    """Learn which candidate is right, and answer with the likeliest."""
    import numpy as np

    weights = fit_choice(training)

    def answer(question: Question) -> Prediction:
        assert question.context is not None
        best = int(np.argmax(np.array(candidates(question)) @ weights))
        spans = sentences_of_section(question.context.text)
        if best == len(spans):
            return Prediction(Answer.none())
        return span_prediction(question.context, spans[best])

    return answer


def fit_choice(training: Iterable[Question]) -> Weights:
    """The weights under which the right candidates are likeliest, among those of their question."""
    import numpy as np
    from scipy.optimize import minimize

    labelled = ((question, right_candidate(question)) for question in training)
    known = [(q, right) for q, right in islice(labelled, MOST_QUESTIONS) if right is not None]
    if not known:
        raise LacunaError(
            "No training question has an answer that stands in its section, so there is nothing "
            "to learn from. Give a file of quac with answers."
        )
    rows = [np.array(candidates(question), np.float32) for question, _ in known]
    table = np.concatenate(rows)  # candidates of all questions x features
    first = np.cumsum([0, *(len(each) for each in rows[:-1])])
    chosen = first + np.array([right for _, right in known])
    question_of = np.repeat(np.arange(len(rows)), [len(each) for each in rows])

    def loss(weights: Weights) -> tuple[float, Weights]:
        scores = (table @ weights.astype(np.float32)).astype(float)
        scores -= np.maximum.reduceat(scores, first)[question_of]
        exponents = np.exp(scores)
        totals = np.add.reduceat(exponents, first)
        surprise = float(np.mean(np.log(totals) - scores[chosen]))
        shares = exponents / totals[question_of]
        shares[chosen] -= 1.0
        slope = (shares.astype(np.float32) @ table).astype(float) / len(rows)
        return surprise + PENALTY * float(weights @ weights), slope + 2 * PENALTY * weights

    start: Weights = np.zeros(WIDTH)
    fitted: Weights = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return fitted


def right_candidate(question: Question) -> int | None:
    """The number of the sentence that holds the answer's middle, or of no answer after them."""
    answer = given_answer(question)
    if answer is None or question.context is None:
        return None
    spans = sentences_of_section(question.context.text)
    if answer.kind is AnswerKind.NONE:
        return len(spans)
    place = place_of(answer)
    if place is None or not spans:
        return None
    middle = (place.start + place.end) // 2
    return next((at for at, span in enumerate(spans) if middle < span.end), len(spans) - 1)
