"""The simple baselines of a dataset's paper: what each of them needs, and how it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lacuna.types import Prediction, Question

AnswersQuestion = Callable[[Question], Prediction]
LearnsAnswering = Callable[[Iterable[Question]], AnswersQuestion]
"""From training questions, of which there are none where a baseline does not learn."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline by the name that ``--system`` knows it under.

    With ``learns``, it wants a file of training questions. An ``upper_bound`` sees the gold of the
    question that it answers: it says what a kind of system could reach at most.
    """

    name: str
    about: str
    open: LearnsAnswering
    learns: bool = False
    upper_bound: bool = False


def always(prediction: Prediction) -> LearnsAnswering:
    """What gives every question the same answer.

    >>> from lacuna.types import Answer
    >>> always(Prediction(Answer.none()))([])(Question("q", "Why?")).answer.text
    'none'
    """
    return lambda training: lambda question: prediction
