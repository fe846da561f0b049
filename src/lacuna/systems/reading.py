"""A reader as a system: it reads the texts that come with each question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from lacuna.datasets.setting import Setting
from lacuna.models.protocol import Reader
from lacuna.systems.system import AT_ONCE, Progress, chunks
from lacuna.types import Prediction, Question, Turn

CHUNK = 512
"""Questions (or dialogs) that are in memory at a time: enough to sort by length and batch well."""


class ReaderSystem:
    """Reads what a setting puts before it, dialogs turn by turn where it must."""

    def __init__(self, reader: Reader, name: str = "reader") -> None:
        self.name = name
        self.reader = reader
        self.at_once = min(CHUNK, max(AT_ONCE, getattr(reader, "at_once", AT_ONCE)))
        """How many questions are best asked together; fewer would be slower."""

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        count = running_total(progress)
        predictions: dict[str, Prediction] = {}
        if setting.predicted_history:
            for dialogs in chunks(dialogs_of(questions), CHUNK):
                predictions |= self._converse(dialogs, setting, count)
            return predictions
        for chunk in chunks(questions, CHUNK):
            answers = self.reader.read(chunk, mode=setting.mode, progress=count)
            predictions |= zip((question.id for question in chunk), answers, strict=True)
        return predictions

    def _converse(
        self, dialogs: Sequence[Sequence[Question]], setting: Setting, count: Progress
    ) -> dict[str, Prediction]:
        """All first turns together, then all second ones with the answers to the first, …"""
        answered: list[dict[int, Prediction]] = [{} for _ in dialogs]
        for turn in range(max(map(len, dialogs))):
            numbers = [number for number, dialog in enumerate(dialogs) if turn < len(dialog)]
            asked = [_with_answers(dialogs[number][turn], answered[number]) for number in numbers]
            predictions = self.reader.read(asked, mode=setting.mode, progress=count)
            for number, question, prediction in zip(numbers, asked, predictions, strict=True):
                answered[number][len(question.history)] = prediction
        return {
            question.id: answered[number][len(question.history)]
            for number, dialog in enumerate(dialogs)
            for question in dialog
        }


def running_total(progress: Progress | None) -> Progress:
    """A reader says how many more questions are done; ``progress`` gets how many by then."""
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done)

    return count


def _with_answers(question: Question, answered: dict[int, Prediction]) -> Question:
    """The question with the predictions for earlier turns as its history."""
    history = (
        Turn(turn.question, answered[number].answer, answered[number].acts)
        if number in answered
        else turn
        for number, turn in enumerate(question.history)
    )
    return replace(question, history=tuple(history))


def dialogs_of(questions: Iterable[Question]) -> Iterator[list[Question]]:
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


def read_arranged(
    reader: Reader,
    questions: Iterable[Question],
    arrange: Callable[[Question], Question],
    *,
    setting: Setting,
    progress: Progress | None,
) -> dict[str, Prediction]:
    """The predictions by id, in the order of the questions, each read as it was arranged."""
    predictions: dict[str, Prediction] = {}
    for chunk in chunks(questions, AT_ONCE):
        answers = reader.read([arrange(question) for question in chunk], mode=setting.mode)
        predictions |= zip((question.id for question in chunk), answers, strict=True)
        if progress is not None:
            progress(len(predictions))
    return predictions
