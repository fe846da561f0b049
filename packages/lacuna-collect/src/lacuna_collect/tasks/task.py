"""What a task is: items to work on, what of them is shown, and what makes work good enough."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Protocol, runtime_checkable

from lacuna.corpus.store import Store


def key_of(*parts: str) -> str:
    """A key from what tells an item from others, however long that is."""
    return blake2b("\n".join(parts).encode(errors="replace"), digest_size=16).hexdigest()


# What a task is: items to work on, what of them is shown, and what makes work acceptable.
#
# A task knows nothing of people, databases or browsers. Everything it hands out and takes in is
# plain JSON, so that it can be stored and sent as it is.


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


WorksByTask = Mapping[str, Sequence[FinishedWork]]
ItemsByTask = Mapping[str, Sequence[NewItem]]
SettingsByTask = Mapping[str, TaskSettings]
"""By the names of tasks."""


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

    def follow_up(self, finished: FinishedWork, settings: TaskSettings) -> ItemsByTask:
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

    def agreement(self, finished: WorksByTask) -> Json:
        """Report how far people agree, for the console and the export; by task name."""
        ...

    def export(
        self,
        finished: WorksByTask,
        corpus: Store,
        out: Path,
        settings: SettingsByTask | None = None,
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


@dataclass(frozen=True, slots=True)
class Bounded:
    """A number that can be set; a whole one if its default is."""

    default: float
    least: float = 0
    most: float = 1

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        whole = isinstance(self.default, int)
        kinds: tuple[type, ...] = (int,) if whole else (int, float)
        if type(value) not in kinds or not math.isfinite(value):
            return "Give a whole number." if whole else "Give a number."
        if not self.least <= value <= self.most:
            return f"Give a number from {self.least:g} to {self.most:g}."
        return ""


@dataclass(frozen=True, slots=True)
class FileName:
    """A file that a task reads; empty for none."""

    default: str = ""

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        if not isinstance(value, str) or "\0" in value:
            return "Give the name of a file."
        return "" if not value or Path(value).is_file() else "There is no such file."


@dataclass(frozen=True, slots=True)
class Names:
    """A list of names; without a default, it is not set until something sets it."""

    default: tuple[str, ...] | None = None
    counts: tuple[int, ...] = ()
    """How many there may be; empty for any number."""

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            return "Give a list of names."
        if self.counts and len(value) not in self.counts:
            return f"Give {' or '.join(map(str, self.counts))} of them."
        return ""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, such as the name of a file that is read once, when items are made."""

    default: str = ""

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        return "" if isinstance(value, str) and "\0" not in value else "Give a text."


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words; the first is the default."""

    words: tuple[str, ...]

    @property
    def default(self) -> str:
        """The first."""
        return self.words[0]

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        return "" if value in self.words else f"Give one of {', '.join(filter(None, self.words))}."


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that is or is not so."""

    default: bool

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        return "" if isinstance(value, bool) else "Give true or false."


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most of something, both included."""

    default: tuple[float, float]

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        match value:
            case [int() | float() as least, int() | float() as most] if 0 <= least <= most:
                return ""
        return "Give the least and the most, such as [50,2000]."


Knobs = Mapping[str, Bounded | FileName | Names | Text | OneOf | Switch | Range]


def defaults(knobs: Knobs) -> Json:
    """What is set before anybody sets anything."""
    return {
        name: list(knob.default) if isinstance(knob.default, tuple) else knob.default
        for name, knob in knobs.items()
        if knob.default is not None
    }


def set_to(settings: TaskSettings, knobs: Knobs) -> Json:
    """What is set, with the defaults of what is not."""
    return {**defaults(knobs), **settings.more}


class DeclaredTask(CollectTask):
    """A task that says what can be set, what of an item is shown, and how alike two works are."""

    knobs: ClassVar[Knobs] = {}
    look_at = ""
    """The task that decides what this one has no settings of its own for."""
    shown_fields: tuple[str, ...] = ()
    """Of the payload; the others, and those that an item lacks, never leave the server."""

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with each setting, or else with all of them together."""
        others = f". There are: {', '.join(self.knobs)}."
        if self.look_at:
            others = f"; look at {self.look_at}."
        problems = []
        for name, value in settings.more.items():
            knob = self.knobs.get(name)
            problem = f"There is no such setting{others}" if knob is None else knob.problem(value)
            if problem:
                problems.append(FieldProblem(f"more.{name}", problem))
        return problems or [
            FieldProblem(f"more.{name}", problem)
            for name, problem in self.together(set_to(settings, self.knobs))
        ]

    def together(self, more: Json) -> Iterable[tuple[str, str]]:
        """Name settings that do not go together, and say why."""
        return ()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """Choose the fields that are shown."""
        return {name: payload[name] for name in self.shown_fields if name in payload}

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """Compare work with gold; what is not acceptable gets nothing."""
        if self.check(payload, work, self.settings):
            return 0.0
        return self.alike(payload, work, gold)

    def alike(self, payload: Json, work: Json, other: Json) -> float:
        """Compare two pieces of work that were checked, from 0 to 1."""
        return float(work == other)


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


# What a task is that two people do at once: a student who asks, and a teacher who answers.
#
# As any other task, it knows nothing of people, databases or sockets.


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


def by_item(finished: Iterable[FinishedWork]) -> dict[str, list[FinishedWork]]:
    """Everybody's work on each item, the earliest first."""
    works: dict[str, list[FinishedWork]] = {}
    for work in sorted(finished, key=lambda work: work.submission):
        works.setdefault(work.item_key, []).append(work)
    return works


def pairs(finished: Iterable[FinishedWork]) -> Iterator[tuple[FinishedWork, FinishedWork]]:
    """Any two people's work on the same item."""
    for works in by_item(finished).values():
        yield from combinations(works, 2)
