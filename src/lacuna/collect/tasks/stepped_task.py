"""What a task is whose items are answered step by step, and each step shows more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from lacuna.collect.tasks.task import FieldProblem, Json, TaskSettings


@runtime_checkable
class SteppedTask(Protocol):
    """A task in which an answer that was given is final, and what comes after it is shown then."""

    def steps(self, payload: Json) -> int:
        """How many steps an item has."""
        ...

    def step(self, payload: Json, number: int) -> Json:
        """What is asked in a step."""
        ...

    def step_problems(self, payload: Json, number: int, answer: Any) -> Sequence[FieldProblem]:
        """Say what is wrong with the answer to a step."""
        ...

    def plain_step(self, answer: Json) -> Json:
        """Take the fields of an answer that was checked, and no others."""
        ...

    def after_step(self, payload: Json, number: int) -> Json:
        """What is shown once a step was answered."""
        ...

    def stepped_work(self, answers: Sequence[Json]) -> Json:
        """The work that the answers to all steps make."""
        ...


@runtime_checkable
class PaidByWorkTask(Protocol):
    """A task that pays for what is in the work, and not the same for every set."""

    def pay_for(self, work: Json, settings: TaskSettings) -> int:
        """Reckon the pay in cents."""
        ...
