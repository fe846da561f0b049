"""DROP's scorer: spans are aligned one to one, numbers must agree, F1 is rounded per question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from lacuna.answer_text import texts_from_answer
from lacuna.metrics.metric import Metric, QuestionScore, Row
from lacuna.metrics.normalise import ARTICLES, NO_PUNCTUATION
from lacuna.types import Answer, AnswerKind, Prediction, Question

SEPARATOR = re.compile(" |-")
Bag = frozenset[str]
ABSTENTION = Prediction(Answer.none())


class DropMetric(Metric):
    """An answer that says nothing is never matched, but its question counts."""

    measures = main = ("em", "f1")
    none: str = ""
    """How an answer "none" is spelt in a prediction."""

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        best_exact = best_f1 = 0.0
        if prediction and prediction.answer:
            predicted = texts_from_answer(prediction.answer, self.none)
            for answer in question.gold.answers:
                wanted = texts_from_answer(answer, self.none)
                if wanted and wanted[0].strip():
                    exact, f1 = compare(predicted, wanted)
                    best_exact, best_f1 = max(best_exact, exact), max(best_f1, f1)
        return best_exact, best_f1

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION

    def kind(self, question: Question) -> AnswerKind:
        assert question.gold is not None
        answers = question.gold.answers
        return answers[0].kind if answers else AnswerKind.NONE

    def means(self, rows: Sequence[Row]) -> dict[str, float | None]:
        import numpy as np

        # numpy adds in pairs, and the official scorer is numpy's: the last digit shows it.
        columns = zip(*rows, strict=True)
        return {m: float(np.mean(c)) for m, c in zip(self.measures, columns, strict=True)}

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        return {
            **super().official(scores),
            "per_question": {score.id: list(score.row) for score in scores},
        }


def compare(predicted: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[float, float]:
    """Exact match and F1 of two answers, each a list of spans.

    >>> compare(("the 12 ships",), ("12 ships", "2 boats"))
    (0.0, 0.5)
    """
    prediction = [normalise(text) for text in predicted]
    reference = [normalise(text) for text in wanted]
    exact = set(prediction) == set(reference) and len(prediction) == len(reference)
    f1 = _aligned([bag(text) for text in prediction], [bag(text) for text in reference])
    return float(exact), f1


def _aligned(predicted: list[Bag], wanted: list[Bag]) -> float:
    import numpy as np

    scores = np.array([[_f1(p, w) for p in predicted] for w in wanted], dtype=float)
    if scores.shape == (1, 1):
        best = scores[0]
    else:
        from scipy.optimize import linear_sum_assignment

        best = np.zeros(max(len(wanted), len(predicted)))
        rows, columns = linear_sum_assignment(-scores.reshape(len(wanted), len(predicted)))
        for row, column in zip(rows, columns, strict=True):
            best[row] = scores[row, column]
    # numpy's rounding differs from Python's in the last digit, and the official scorer has numpy's.
    return float(np.round(np.mean(best), 2))


def _f1(predicted: Bag, wanted: Bag) -> float:
    if not _numbers_agree(predicted, wanted):
        return 0.0
    same = len(predicted & wanted)
    precision = same / len(predicted) if predicted else 1.0
    recall = same / len(wanted) if wanted else 1.0
    return 2 * precision * recall / (precision + recall) if precision or recall else 0.0


def _numbers_agree(predicted: Bag, wanted: Bag) -> bool:
    numbers = {word for word in wanted if _is_number(word)}
    return not numbers or not numbers.isdisjoint(word for word in predicted if _is_number(word))


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Token by token: numbers become floats, others lose punctuation and articles.

    >>> normalise("The 12 half-built ships!")
    '12.0 half built ships'
    """
    parts = (" ".join(_token(token.lower()).split()) for token in SEPARATOR.split(text))
    return " ".join(part for part in parts if part)


def bag(normalised: str) -> Bag:
    """The words of a normalised text."""
    return frozenset(normalised.split())


def _token(token: str) -> str:
    if not _is_number(token):
        token = token.translate(NO_PUNCTUATION)
    if _is_number(token):
        token = str(float(token))
    return ARTICLES.sub(" ", token)


def _is_number(text: str) -> bool:
    """Whatever Python reads as a float, so "nan" and "1_000" too: the official scorer's rule."""
    try:
        float(text)
    except ValueError:
        return False
    return True
