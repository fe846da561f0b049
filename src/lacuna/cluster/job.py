"""What is done on a cluster: a job is opened once by each worker, then given item after item."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
ItemIn = TypeVar("ItemIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)


class OpenedJob(Protocol[ItemIn, ResultOut]):
    """Models are loaded and files are open."""

    def work(self, item: ItemIn) -> ResultOut:
        """Do one item."""
        ...


class Job(Protocol[Item, ResultOut]):
    """Goes to the workers, so it can be pickled and is small."""

    def open(self) -> AbstractContextManager[OpenedJob[Item, ResultOut]]:
        """Load on a worker what all items need."""
        ...

    def halves(self, item: Item) -> tuple[Item, Item] | None:
        """Two items that make up one that failed; None for the smallest there is."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A worker is ready; ``about`` is what its job says of itself."""

    node: str
    version: str
    about: Any = None


@dataclass(frozen=True, slots=True)
class RefusedWork:
    """Something that a user can mend, from a worker."""

    message: str


@dataclass(frozen=True, slots=True)
class BrokenItem:
    """An item that made a worker fail."""

    reason: str


@dataclass(frozen=True, slots=True)
class Finished(Generic[Item, Result]):
    """An item with what became of it; ``number`` is its place among all items.

    The two halves of an item have its number. ``reason`` is there where it failed for good.
    """

    number: int
    item: Item
    result: Result | None = None
    reason: str = ""


@dataclass(slots=True)
class Task(Generic[Item]):
    """An item on its way; ``lost`` counts the workers that ended over it, on machines that live.

    ``ended_on`` are the machines of all workers that ended over it.
    """

    number: int
    item: Item
    lost: int = 0
    ended_on: list[str] = field(default_factory=list)
