"""The simple baselines of the datasets as systems: what a name stands for, and what it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lacuna.answer_mode import AnswerMode
from lacuna.datasets import every_dataset
from lacuna.datasets.base import Dataset
from lacuna.datasets.baseline import AnswersQuestion, Baseline
from lacuna.datasets.setting import Setting
from lacuna.errors import BadField, ItemError, LacunaError
from lacuna.models.protocol import Progress
from lacuna.types import Gold, Prediction, Question


class BaselineReader:
    """A baseline where a reader is expected, so that dialogs can go on with its own answers.

    ``gold`` is what an upper bound is told, by the ids of the questions.
    """

    def __init__(self, answer: AnswersQuestion, gold: Mapping[str, Gold | None]) -> None:
        self._answer = answer
        self._gold = gold

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question."""
        predictions = [
            self._answer(replace(question, gold=self._gold.get(question.id)))
            for question in questions
        ]
        if progress is not None:
            progress(len(questions))
        return predictions


def is_baseline(name: str) -> bool:
    """Whether some dataset has a baseline of that name."""
    return any(baseline.name == name for each in every_dataset() for baseline in each.baselines)


def find_baseline(name: str, dataset: Dataset) -> Baseline:
    """The baseline of a dataset; an error that names those it has."""
    for baseline in dataset.baselines:
        if baseline.name == name:
            return baseline
    others = [each.name for each in every_dataset() if any(b.name == name for b in each.baselines)]
    own = ", ".join(baseline.name for baseline in dataset.baselines) or "none"
    raise LacunaError(
        f"The baseline {name} is one of {' and '.join(others)}, not of {dataset.name}, whose "
        f"baselines are: {own}."
    )


def check_baseline_needs(
    baseline: Baseline, training: str | None, dataset: Dataset, setting: Setting
) -> None:
    """Refuse what a baseline cannot use, and ask for what it lacks."""
    name = baseline.name
    if setting.over_corpus:
        raise LacunaError(
            f"The baseline {name} answers from what the file holds, and the setting {setting.name} "
            f"asks a corpus. Take another setting, such as {dataset.setting().name}."
        )
    if baseline.learns and training is None:
        raise LacunaError(
            f"The baseline {name} learns from training questions. Name their file behind a colon: "
            f"--system {name}:TRAIN, a file of {dataset.name} with answers."
        )
    if training is not None and not baseline.learns:
        raise LacunaError(
            f"The baseline {name} learns nothing, so {training} has no use. Write --system {name}."
        )


def check_other_file(training: str, file: Path) -> None:
    """Refuse to judge a baseline by the very questions that it learns from."""
    path = Path(training)
    if path.exists() and file.exists() and path.samefile(file):
        raise LacunaError(
            f"{training} is the file that is to be answered: a baseline that has seen the answers "
            "tells nothing. Give another file to learn from."
        )


def open_baseline(
    baseline: Baseline, training: str | None, dataset: Dataset, questions: Iterable[Question]
) -> BaselineReader:
    """Let a baseline learn what it has to, and tell an upper bound the gold of the questions."""
    gold = {question.id: question.gold for question in questions} if baseline.upper_bound else {}
    if training is None:
        return BaselineReader(baseline.open(()), gold)
    return BaselineReader(baseline.open(_with_answers(dataset, Path(training))), gold)


def _with_answers(dataset: Dataset, path: Path) -> Iterator[Question]:
    """The training questions that have an answer; there must be one, and no item may be broken."""
    found = False
    with dataset.open(path) as reader:
        try:
            for question in reader.questions():
                if question.gold is not None and question.gold.answers:
                    found = True
                    yield question
        except ItemError as error:
            problem = BadField(error.field, error.expected, error.found)
            raise ItemError(path, error.item, problem, can_skip=False) from error
    if not found:
        raise LacunaError(
            f"{path} has no question with an answer, so there is nothing to learn from. Give a "
            f"file of {dataset.name} that holds the answers."
        )
