"""What a task is: items to work on, what of them is shown, and what makes work acceptable.

A task knows nothing of people, databases or browsers. Everything it hands out and takes in is plain
JSON, so that it can be stored and sent as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol, runtime_checkable

from lacuna.corpus.store import Store

Json = dict[str, Any]
MOST_BONUS_CENTS = 100_000
"""More than a slip of the hand should give."""


@dataclass(frozen=True, slots=True)
class NewItem:
    """Something to be worked on, as it is to be stored."""

    key: str
    """Unique within the task; an item of the same key is not made twice."""
    payload: Json
    """All of it, what a worker must not see included."""
    copies: int = 1
    """How many people are to work on it."""
    split: str = ""
    """Which part of the dataset it belongs to, where the task decides that beforehand."""
    gold: Json | None = None
    """Accepted work, if it is an item of the qualification test."""
    not_for: tuple[int, ...] = ()
    """The ids of people who may not work on it: a writer does not answer their own questions."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with a piece of work, and where: ``questions.3.links``."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class FinishedWork:
    """One accepted piece of work on one item, as export and follow-up tasks see it."""

    item_key: str
    payload: Json
    split: str
    work: Json
    person: int
    submission: int
    seconds: float
    loop: Json = field(default_factory=dict)
    """What the model in the loop said, where it was switched on."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """What somebody gets beside the pay, and why."""

    person: int
    cents: int
    reason: str
    key: str
    """The same for the same bonus, however often it is reckoned."""


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What a requester can set; the defaults of a task are its paper's."""

    pay_cents: int
    """For one accepted set."""
    minutes: int = 120
    """After this long without a save, the assignment goes to somebody else."""
    per_person: int = 0
    """How many sets one person may do; 0 for any number."""
    pass_mark: float = 0.8
    """The share of the qualification test that has to be right."""
    inspect_first: int = 1
    """How many of a person's first sets are looked at by a reviewer before more are handed out."""
    review_all: bool = False
    """Whether every set waits for a reviewer, or is accepted at once after inspection."""
    model_in_loop: bool = False
    more: Json = field(default_factory=dict)
    """What only this task knows; checked by the task."""


class CollectTask(Protocol):
    """One kind of work, such as writing IIRC's questions."""

    name: str
    """On the command line and in addresses: ``iirc-questions``."""
    title: str
    instructions: str
    """The name of the HTML page in ``collect/web/static/instructions`` that a worker reads."""
    form: str
    """The name of the JavaScript module in ``collect/web/static/js/forms`` that shows an item."""
    settings: TaskSettings

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        ...

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """Make the items that the corpus gives; none where they are drawn or follow other work."""
        return ()

    def draw_item(
        self, corpus: Store, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> NewItem | None:
        """Draw an item for a person who asks for work, where items are made on demand."""
        return None

    def follow_up(
        self, finished: FinishedWork, settings: TaskSettings
    ) -> Mapping[str, Sequence[NewItem]]:
        """Make items of other tasks of the same project (by their names) from accepted work."""
        return {}

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Give the items with gold of the qualification test; none if there is no test."""
        ...

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """Choose what of an item is sent to the worker; the rest never leaves the server."""
        ...

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a piece of work; every value may be anything JSON can say."""
        ...

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """Compare work on a qualification item with its gold, from 0 to 1."""
        ...


class CollectFamily(Protocol):
    """Tasks that together make one dataset, and how their work becomes files."""

    name: str
    """What it is called on the command line: ``iirc``, ``kgd``."""
    dataset: str
    """The dataset whose format its files have; empty where they are no questions of one."""
    companions: tuple[str, ...]
    """Files of its export beside train, dev and test that tell no answer of test."""
    tasks: Sequence[CollectTask]

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        """Report how far people agree, for the console and the export; by task name."""
        ...

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        """Write the dataset's files into a folder, and return what was written and left out.

        ``settings`` are the project's, by task name; a task that is not named has its defaults.
        """
        ...


@runtime_checkable
class SettlingTask(Protocol):
    """A task whose accepted work, taken together, settles how others of its project go on."""

    def settle(
        self, finished: Sequence[FinishedWork], settings: TaskSettings
    ) -> Mapping[str, Json]:
        """Give what goes into ``more`` of other tasks, by their names, before they draw items."""
        ...


@runtime_checkable
class RewardingTask(Protocol):
    """A task whose accepted work earns more than its pay."""

    def bonuses(self, finished: Sequence[FinishedWork], settings: TaskSettings) -> Sequence[Bonus]:
        """Reckon all bonuses that were earned so far, paid or not."""
        ...


@runtime_checkable
class SharingTask(Protocol):
    """A task whose items have long parts in common, which are kept once for all of them."""

    shared: str
    """The field of the payload that holds such parts by their names."""
    reads_shared: bool
    """Whether the task looks at them; else it is shown what stands for them, to hand it on."""
