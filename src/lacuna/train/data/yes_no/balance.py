"""About as many questions for no as for yes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lacuna.train.data.together import together
from lacuna.types import AnswerKind, Question

AHEAD = 20
"""So many more are left as they are, or chance alone would double questions of both kinds."""


def balanced(questions: Iterable[Question]) -> Iterator[Question]:
    """The questions; one is asked twice while the other answer is ahead."""
    more_yes = 0
    for question in questions:
        assert question.gold is not None
        step = 1 if question.gold.answers[0].kind is AnswerKind.YES else -1
        more_yes += step
        if more_yes * step >= -AHEAD:
            yield question
        else:
            more_yes += step
            yield from together(question, replace(question, id=f"{question.id}/again"))
