"""A dataset file on its way to a system: checked as a whole first, and then read as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lacuna.datasets.base import Dataset
from lacuna.datasets.setting import Setting
from lacuna.errors import ItemError, LacunaError
from lacuna.types import Question


class QuestionFile:
    """The questions of one file; iterate as often as needed.

    The whole file is checked when this is made, before a model spends its time on half of it. It
    is then read again each time instead of being held in memory, except for a pipe. Questions that
    ``wanted`` refuses are passed over, and counted.
    """

    def __init__(
        self,
        dataset: Dataset,
        path: Path,
        setting: Setting,
        *,
        skip_bad: bool = False,
        wanted: Callable[[Question], bool] = lambda question: True,
    ) -> None:
        self.path = path
        self.bad: list[ItemError] = []
        self.total = 0
        self.with_gold = 0
        self.passed_over = 0
        self._dataset = dataset
        self._skip_bad = skip_bad
        self._wanted = wanted
        self._held: list[Question] | None = None if path.is_file() else []
        required = setting.required_field
        lacks_field = required is not None
        for question in self._read():
            setting.arrange(question)
            self.total += 1
            self.with_gold += bool(question.gold and question.gold.answers)
            lacks_field = lacks_field and required not in question.extra
            if self._held is not None:
                self._held.append(question)
        if not self.total and not self.passed_over:
            raise LacunaError(
                f"{path} holds no question of {dataset.name}, so there is nothing to answer. "
                "Give another file."
            )
        if lacks_field:
            raise LacunaError(
                f"No question of {path} has the field {required}, which the setting "
                f"{setting.name} reads. Give a file that has it, or another setting."
            )

    def __iter__(self) -> Iterator[Question]:
        return self._read() if self._held is None else iter(self._held)

    def _read(self) -> Iterator[Question]:
        with self._dataset.open(self.path, skip_bad=self._skip_bad) as reader:
            passed_over = 0
            for question in reader.questions():
                if self._wanted(question):
                    yield question
                else:
                    passed_over += 1
        self.bad, self.passed_over = reader.bad, passed_over
