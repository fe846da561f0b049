"""GapQA over a file: all questions of OpenBookQA's kind, each with the gap that was filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from lacuna.datasets import get_dataset
from lacuna.pipeline.choices import check_choices
from lacuna.pipeline.gapqa import FillsGaps
from lacuna.pipeline.result import Result
from lacuna.types import Prediction, Question

TASK, SETTING = "openbookqa", "core-fact"
"""What GapQA is made for: without a core fact, there is no gap to name."""
AT_ONCE = 64
"""Questions that are asked together."""


def core_facts(questions: Iterable[Question]) -> list[str]:
    """The fact of every question; the first that GapQA cannot be asked is refused.

    So a whole file is checked before a model spends its time on half of it.
    """
    facts = []
    for question in questions:
        check_choices(question)
        facts.append(question.fact or "")
    return facts


def predict_all(
    pipeline: FillsGaps,
    questions: Iterable[Question],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Prediction]:
    """The predictions by id, in the order of the questions.

    Questions are asked without their gold; ``progress`` gets the number of those that are done.
    """
    results = ask_all(pipeline, questions, progress=progress)
    return {question.id: result.prediction for question, result in results}


def ask_all(
    pipeline: FillsGaps,
    questions: Iterable[Question],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[tuple[Question, Result]]:
    """Every question, which is asked without its gold, and its result."""
    arrange = get_dataset(TASK).setting(SETTING).arrange
    done, source = 0, iter(questions)
    while chunk := list(islice(source, AT_ONCE)):
        results = pipeline.ask_many([arrange(question) for question in chunk])
        yield from zip(chunk, results, strict=True)
        done += len(chunk)
        progress(done)
