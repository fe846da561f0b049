"""Fill the gaps of all questions of OpenBookQA's kind in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.models.gapqa.choice_gaps import GapResult
from lacuna.pipeline.gapqa_protocol import FillsGaps
from lacuna.types import Prediction, Question

TASK, SETTING = "openbookqa", "core-fact"
"""What GapQA is made for: without a core fact, there is no gap to name."""
AT_ONCE = 64
"""Questions that are asked together."""


def core_facts(questions: Iterable[Question]) -> list[str]:
    """The fact of every question; the first question without one, or without choices, is refused.

    So a whole file is looked through before a model spends its time on half of it.
    """
    facts = []
    for question in questions:
        if not (question.fact and question.fact.strip()):
            raise LacunaError(
                f"Question {question.id!r} has no core fact, and GapQA begins at one. Give a file "
                "with facts (fact1), or read it with --system reader."
            )
        if len(question.choices) < 2 or not all(one.text.strip() for one in question.choices):
            raise LacunaError(
                f"Question {question.id!r} has fewer than two choices, or an empty one. Mend it, "
                "or take it out of the file."
            )
        facts.append(question.fact)
    return facts


def predict_all(
    pipeline: FillsGaps,
    questions: Iterable[Question],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Prediction]:
    """The predictions by id, in the order of the questions; ``progress`` is told how many are done.

    Questions enter without their gold.
    """
    results = ask_all(pipeline, questions, progress=progress)
    return {one.question.id: one.prediction for one in results}


def ask_all(
    pipeline: FillsGaps,
    questions: Iterable[Question],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[GapResult]:
    """What is told of each question; they are asked without their gold, and have it again."""
    arrange = get_dataset(TASK).setting(SETTING).arrange
    done, source = 0, iter(questions)
    while chunk := list(islice(source, AT_ONCE)):
        results = pipeline.ask_many([arrange(question) for question in chunk])
        for question, result in zip(chunk, results, strict=True):
            yield replace(result, question=question)
        done += len(chunk)
        progress(done)
