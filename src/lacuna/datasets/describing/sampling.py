"""A random sample of a stream of questions, without holding all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from lacuna.datasets.base import Dataset
from lacuna.datasets.describing.labelling import LabellingTask
from lacuna.datasets.item import Item
from lacuna.errors import LacunaError
from lacuna.types import Prediction, Question

Wanted = Callable[[Question], bool]


def sample(
    items: Iterable[Item], task: LabellingTask, size: int, seed: int, wanted: Wanted
) -> list[Question]:
    """So many random questions in the file's order; all of them where there are fewer.

    The same seed gives the same sample.
    """
    random = Random(seed)
    kept: list[tuple[int, Question]] = []
    for number, question in enumerate(_offered(items, task, wanted, random)):
        if len(kept) < size:
            kept.append((number, question))
        elif (place := random.randrange(number + 1)) < size:
            kept[place] = number, question
    return [question for _, question in sorted(kept, key=lambda entry: entry[0])]


def _offered(
    items: Iterable[Item], task: LabellingTask, wanted: Wanted, random: Random
) -> Iterator[Question]:
    for item in items:
        for block in item.blocks:
            questions = [question for question in block.questions if wanted(question)]
            if task.one_a_text and questions:
                yield random.choice(questions)
            else:
                yield from questions


def answered_wrongly(
    dataset: Dataset, measure: str, predictions: Mapping[str, Prediction]
) -> Wanted:
    """Tells the questions whose prediction is there and wrong."""
    metric = dataset.metric()
    at = metric.measures.index(measure)

    def wrong(question: Question) -> bool:
        prediction = prediction_for(dataset, question, predictions)
        if prediction is None or question.gold is None or not question.gold.answers:
            return False
        return metric.judge(question, prediction)[at] == 0.0

    return wrong


def prediction_for(
    dataset: Dataset, question: Question, predictions: Mapping[str, Prediction]
) -> Prediction | None:
    """The prediction that counts for a question."""
    ids = dataset.metric().prediction_ids(question)
    return next((predictions[id_] for id_ in ids if id_ in predictions), None)


def task_for(dataset: Dataset, of_errors: bool) -> LabellingTask:
    """The task of a dataset that labels questions, or errors."""
    tasks = dataset.labelling()
    for task in tasks:
        if (task.wrong_by is not None) == of_errors:
            return task
    if not tasks:
        raise LacunaError(
            f"There are no categories to label {dataset.name} with. There are for iirc, hotpotqa, "
            "quac and openbookqa."
        )
    raise LacunaError(
        f"The paper of {dataset.name} has no classes of errors. Leave --predictions out to label "
        "questions."
    )
