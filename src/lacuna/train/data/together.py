"""Questions that stay together: opposite ones, or one that a text answers and one that it does not.

They are neighbours, are shown in the same way, and form one group of a training run, so that none
of them is held out while another is learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from lacuna.types import Question

TOGETHER = "together"
"""The extra that neighbours share."""
RIVAL = "rival"
"""The extra of a window that competes with others for the answer: its question's number among the
neighbours."""


def together(*questions: Question) -> Iterator[Question]:
    """Make neighbours of some questions."""
    for question in questions:
        yield replace(question, extra={TOGETHER: questions[0].id})


def units(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """The questions that stay together, each list whole; most stand alone."""
    for _, unit in groupby(questions, key=lambda q: q.extra.get(TOGETHER, q.id)):
        yield list(unit)


def as_found(questions: Iterable[Question]) -> Iterator[Question]:
    """Every second text as one that was found, with its title; a context is read without one."""
    for number, unit in enumerate(units(questions)):
        for question in unit:
            if number % 2 and question.context and question.context.title:
                yield replace(question, context=None, documents=(question.context,))
            else:
                yield question
