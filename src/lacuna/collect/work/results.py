"""What a worker's requests come back with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lacuna.collect.tasks.task import CollectTask, Json, TaskSettings


class AssignmentState(StrEnum):
    """Where an assignment stands."""

    OPEN = "open"
    RETURNED = "returned"
    """Sent back by a reviewer: open again."""
    EXPIRED = "expired"
    """Not saved for too long; its place is free for others."""
    SKIPPED = "skipped"
    WAITING = "waiting"
    """Handed in, and waits for a reviewer."""
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    TESTED = "tested"
    """Handed in as part of the qualification test."""


@dataclass(frozen=True, slots=True)
class TaskInUse:
    """A task with the settings that a project has for it."""

    task: CollectTask
    settings: TaskSettings

    @property
    def name(self) -> str:
        """The task's."""
        return self.task.name


@dataclass(frozen=True, slots=True)
class Assigned:
    """An item that a person is to work on, as far as the person may see it."""

    assignment: int
    task: str
    state: AssignmentState
    shown: Json
    """The only thing of an item that leaves the server."""
    draft: Json | None
    version: int
    """Of the draft; a save has to name the one it was made from."""
    seconds: float
    """Spent on it so far."""
    assigned_at: float
    expires_at: float
    """If nothing is saved until then, it may go to somebody else."""
    pay_cents: int
    """0 for an item of the test."""
    returned_reason: str
    is_test: bool
    """Whether it belongs to the qualification test."""
    tests_left: int
    """How many items of the test are left, this one included; 0 outside of it."""


class NoWorkReason(StrEnum):
    """Why there is nothing to do for a person."""

    FINISHED = "finished"
    """Everything that this person may do is done or in other hands."""
    LIMIT = "limit"
    """The person has done as many sets as one may do."""
    INSPECTION = "inspection"
    """A reviewer looks at the first sets before there are more."""
    NOT_QUALIFIED = "not-qualified"
    PAUSED = "paused"
    LIVE = "live"
    """It is done with a partner, on a page of its own."""


@dataclass(frozen=True, slots=True)
class NoWork:
    """There is nothing to do now."""

    reason: NoWorkReason
    message: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A draft that is on the server's disk."""

    version: int
    expires_at: float
    is_expired: bool = False
    """Whether the item has gone to somebody else meanwhile; the draft is kept all the same."""


@dataclass(frozen=True, slots=True)
class StaleDraft:
    """A draft that was not saved, since another tab or device has saved a newer one."""

    version: int
    draft: Json | None


@dataclass(frozen=True, slots=True)
class Submitted:
    """The receipt of work that was handed in."""

    receipt: str
    """The same, however often the same work is sent."""
    assignment: int
    state: AssignmentState
    late: bool
    score: float | None
    """Of an item of the test."""
    message: str
    """What the person is told."""
