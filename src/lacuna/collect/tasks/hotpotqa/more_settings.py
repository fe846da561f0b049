"""What a requester can set for HotpotQA's tasks beyond what every task has, with bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.collect.tasks.task import MOST_BONUS_CENTS, FieldProblem, Json, TaskSettings


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


Knobs = Mapping[str, Bounded | FileName | Names]
MANY = 10**6

CURATION: Knobs = {
    "groups_file": FileName(),
    "pairs_per_group": Bounded(10, 1, 100),
    "copies": Bounded(1, 1, 9),
    "least_rate": Bounded(0.5),
    "seed": Bounded(13, 0, 2**31),
}
QUESTIONS: Knobs = {
    "bridge_ratio": Bounded(0.75),
    "yes_no_ratio": Bounded(0.5),
    "categories_file": FileName(),
    "lists_file": FileName(),
    "chosen_categories": Names(),
    "chosen_lists": Names(),
    "longest_question": Bounded(130, 5, 500),
    "sample_one_in": Bounded(4, 1, 1000),
    "sample_most": Bounded(10, 1, 1000),
    "best_every": Bounded(200, 1, MANY),
    "best_workers": Bounded(3, 0, 1000),
    "best_cents": Bounded(500, 0, MOST_BONUS_CENTS),
    "pace_every": Bounded(50, 1, MANY),
    "pace_least_per_hour": Bounded(20.0, 0, MANY),
    "pace_cents": Bounded(200, 0, MOST_BONUS_CENTS),
    "top_share": Bounded(0.7),
    "sample_least": Bounded(3, 1, 1000),
    "single_hop_share": Bounded(0.8),
    "split_models": Names(("small",), (0, 1, 3)),
    "medium_loss": Bounded(0.7, 0, 100),
    "seed": Bounded(13, 0, 2**31),
}
HOPS: Knobs = {}


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


def check_more(settings: TaskSettings, knobs: Knobs) -> Sequence[FieldProblem]:
    """Say what is wrong with what is set."""
    problems = []
    for name, value in settings.more.items():
        knob = knobs.get(name)
        problem = f"There is no such setting. There are: {', '.join(knobs)}."
        if knob is not None:
            problem = knob.problem(value)
        if problem:
            problems.append(FieldProblem(f"more.{name}", problem))
    return problems
