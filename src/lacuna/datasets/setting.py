"""What a reader may see of a question: the settings of each dataset's paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps

from lacuna.answer_mode import AnswerMode
from lacuna.types import Prediction, Question, Turn

Arrangement = Callable[[Question], Question]


def _as_it_is(question: Question) -> Question:
    return question


def _unchanged(question: Question, prediction: Prediction) -> Prediction:
    return prediction


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to ask the questions of a dataset.

    ``arrange`` gives a question as it is asked. Whatever function is passed for it, the question
    always leaves its gold and its extra fields behind, so that no label can reach a reader by
    accident. ``restore`` puts a prediction for the arranged question in terms of the question as
    the file has it.

    ``over_corpus`` says that the question is asked of a corpus, with nothing but its context.
    ``required_field`` is an extra field that ``arrange`` reads; a file in which no question has it
    makes no sense. With ``predicted_history``, the earlier turns of a dialog have the reader's own
    answers. Where the questions of one file are asked of several corpora, ``collection`` names that
    of a question as the file has it.

    >>> from lacuna.types import Gold
    >>> Setting("passage", AnswerMode.CALCULATE).arrange(Question("q", "When?", gold=Gold())).gold
    """

    name: str
    mode: AnswerMode
    arrange: Arrangement = _as_it_is
    restore: Callable[[Question, Prediction], Prediction] = _unchanged
    over_corpus: bool = False
    required_field: str | None = None
    predicted_history: bool = False
    collection: Callable[[Question], str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "arrange", _without_labels(self.arrange))


def _without_labels(arrange: Arrangement) -> Arrangement:
    @wraps(arrange)
    def arranged(question: Question) -> Question:
        return replace(arrange(question), gold=None, extra={})

    return arranged


def unanswered_history(question: Question) -> Question:
    """The earlier questions alone: their answers are the reader's to give."""
    return replace(question, history=tuple(Turn(turn.question) for turn in question.history))


def by_name(*settings: Setting) -> Mapping[str, Setting]:
    """Settings as a dataset holds them; the first is the default."""
    return {setting.name: setting for setting in settings}
