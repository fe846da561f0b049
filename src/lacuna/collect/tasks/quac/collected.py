"""From accepted work to dialogs that are kept, with their references, and those that are not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lacuna.collect.tasks.iirc.paragraph_sets import TRAIN
from lacuna.collect.tasks.live_task import DialogRole
from lacuna.collect.tasks.quac.dialog_task import TASK, VALIDATION
from lacuna.collect.tasks.task import FinishedWork, Json


@dataclass(frozen=True)
class CollectedDialog:
    """A dialog, with the answers of those who validated it, the earliest first."""

    split: str
    payload: Json
    work: Json
    person: int
    """Who gave the answers: the teacher."""
    validations: tuple[FinishedWork, ...]

    @property
    def id(self) -> str:
        """What it is called in the files."""
        return f"dialog-{self.work['dialog']}"

    @property
    def is_simulated(self) -> bool:
        """Whether one of the two was no person."""
        return bool(self.work.get("simulated"))

    @property
    def answerers(self) -> set[int]:
        """Who has answered its questions."""
        return {self.person, *(work.person for work in self.validations)}

    @cached_property
    def answers(self) -> list[list[Json]]:
        """All answers of each turn, the teacher's first."""
        sheets = [work.work["answers"] for work in self.validations]
        return [
            [turn["answer"], *(sheet[number] for sheet in sheets)]
            for number, turn in enumerate(self.work["turns"])
        ]

    def left_out(self, validators: int) -> str | None:
        """Why it is in none of the splits, or None."""
        if self.is_simulated:
            return "one of the two was simulated"
        missing = validators - len(self.validations)
        if self.split != TRAIN and missing > 0:
            return "waits for more answers by validators"
        return None


def collected_dialogs(
    finished: Mapping[str, Sequence[FinishedWork]],
) -> list[CollectedDialog]:
    """All dialogs whose teacher's part was accepted."""
    by_dialog: dict[int, list[FinishedWork]] = {}
    for work in finished.get(VALIDATION, ()):
        by_dialog.setdefault(work.payload["dialog"], []).append(work)
    return [
        CollectedDialog(
            one.split or TRAIN,
            one.payload,
            one.work,
            one.person,
            _earliest(by_dialog.get(one.work["dialog"], ())),
        )
        for one in finished.get(TASK, ())
        if one.work["role"] == told_by(one.work)
    ]


def told_by(work: Json) -> str:
    """Whose part of a dialog stands for it: the teacher's, unless the teacher was simulated."""
    is_simulated = work["simulated"] == DialogRole.TEACHER
    return DialogRole.STUDENT if is_simulated else DialogRole.TEACHER


def _earliest(works: Iterable[FinishedWork]) -> tuple[FinishedWork, ...]:
    return tuple(sorted(works, key=lambda work: work.submission))
