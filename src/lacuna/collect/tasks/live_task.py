"""What a task is that two people do at once: a student who asks, and a teacher who answers.

As any other task, it knows nothing of people, databases or sockets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from lacuna.collect.tasks.task import FieldProblem, Json, TaskSettings

PEOPLE_OF_A_DIALOG = 2


class DialogRole(StrEnum):
    """What a person is in a dialog."""

    STUDENT = "student"
    TEACHER = "teacher"

    @property
    def other(self) -> DialogRole:
        """The partner's."""
        return DialogRole.TEACHER if self is DialogRole.STUDENT else DialogRole.STUDENT


@dataclass(frozen=True, slots=True)
class DialogRules:
    """When a dialog begins and ends."""

    most_pairs: int
    """So many answered questions end it."""
    most_no_answers: int
    """More questions without an answer end it."""
    fewest_pairs: int
    """A dialog with fewer is discarded."""
    reconnect_seconds: float
    """After so long without a connection, somebody has left for good."""
    idle_warning_seconds: float
    """After so long without a word, whose turn it is gets a reminder."""
    idle_end_seconds: float
    """After so long, whose turn it is has left."""
    same_pair_again: bool
    """Whether two people may talk with each other more than once."""
    simulated_after_seconds: float
    """After so long in the waiting room, a simulated partner comes; 0 for never."""


@runtime_checkable
class LiveTask(Protocol):
    """One kind of dialog."""

    def rules(self, settings: TaskSettings) -> DialogRules:
        """Say when dialogs begin and end."""
        ...

    def seen_by(self, payload: Json, role: DialogRole) -> Json:
        """Choose what of an item is sent to one of the two; the rest never leaves the server."""
        ...

    def question_problems(self, question: Any) -> Sequence[FieldProblem]:
        """Say what is wrong with a question."""
        ...

    def answer_problems(self, payload: Json, answer: Any) -> Sequence[FieldProblem]:
        """Say what is wrong with an answer."""
        ...

    def plain_answer(self, answer: Json) -> Json:
        """Take the fields of an answer that was checked, and no others."""
        ...

    def answer_seen_by(self, payload: Json, answer: Json, role: DialogRole) -> Json:
        """Choose what of an answer is sent to one of the two."""
        ...

    def is_no_answer(self, answer: Json) -> bool:
        """Whether an answer says that there is none."""
        ...

    def pay_for_pairs(self, pairs: int, settings: TaskSettings) -> int:
        """Reckon what each of the two gets for so many pairs of question and answer, in cents."""
        ...

    def simulated_question(self, payload: Json, pairs: Sequence[tuple[str, Json]]) -> str:
        """Ask as a simulated student does."""
        ...

    def simulated_answer(self, payload: Json, question: str) -> Json:
        """Answer as a simulated teacher does."""
        ...
