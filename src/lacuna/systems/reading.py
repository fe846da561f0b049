"""Answer all questions of a dataset, in one of its settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from lacuna.datasets import get_dataset
from lacuna.datasets.setting import Setting
from lacuna.models.protocol import Progress, Reader
from lacuna.types import Prediction, Question, Turn

T = TypeVar("T")
CHUNK = 512
"""Questions (or dialogs) that are in memory at a time: enough to sort by length and batch well."""


def predict(
    reader: Reader,
    task: str,
    setting: str | None,
    questions: Iterable[Question],
    *,
    progress: Progress | None = None,
) -> dict[str, Prediction]:
    """The predictions by id, in the order of the questions; no setting means the default one.

    ``progress`` is told how many questions are done by then.
    """
    run = _Run(reader, get_dataset(task).setting(setting), progress)
    found: dict[str, Prediction] = {}
    if run.setting.predicted_history:
        for dialogs in _chunks(_dialogs(questions)):
            found |= run.talk(dialogs)
    else:
        for chunk in _chunks(questions):
            predictions = run.read([run.setting.arrange(question) for question in chunk])
            for question, prediction in zip(chunk, predictions, strict=True):
                found[question.id] = run.setting.restore(question, prediction)
    return found


class _Run:
    """One reader at work, which counts what it has read."""

    def __init__(self, reader: Reader, setting: Setting, progress: Progress | None) -> None:
        self.setting = setting
        self._reader = reader
        self._progress = progress or (lambda done: None)
        self._done = 0

    def read(self, questions: Sequence[Question]) -> list[Prediction]:
        """The reader's predictions for questions that have entered."""
        return self._reader.read(questions, mode=self.setting.mode, progress=self._count)

    def talk(self, dialogs: Sequence[Sequence[Question]]) -> dict[str, Prediction]:
        """All first turns together, then all second ones on what was said in the first, …"""
        said: list[dict[int, Prediction]] = [{} for _ in dialogs]
        for turn in range(max(map(len, dialogs))):
            going_on = [number for number, dialog in enumerate(dialogs) if turn < len(dialog)]
            asked = [
                _with_answers(self.setting.arrange(dialogs[number][turn]), said[number])
                for number in going_on
            ]
            predictions = self.read(asked)
            for number, question, prediction in zip(going_on, asked, predictions, strict=True):
                said[number][len(question.history)] = prediction
        return {
            question.id: said[number][len(question.history)]
            for number, dialog in enumerate(dialogs)
            for question in dialog
        }

    def _count(self, more: int) -> None:
        self._done += more
        self._progress(self._done)


def _with_answers(question: Question, said: dict[int, Prediction]) -> Question:
    """The question with the predictions for earlier turns as its history."""
    history = (
        Turn(turn.question, said[number].answer, said[number].acts) if number in said else turn
        for number, turn in enumerate(question.history)
    )
    return replace(question, history=tuple(history))


def _dialogs(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """Questions that follow each other in one dialog; a history that does not grow begins one."""
    dialog: list[Question] = []
    for question in questions:
        if dialog:
            last = dialog[-1]
            grows = len(question.history) > len(last.history)
            if not grows or question.context != last.context:
                yield dialog
                dialog = []
        dialog.append(question)
    if dialog:
        yield dialog


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    source = iter(items)
    while chunk := list(islice(source, CHUNK)):
        yield chunk
