"""What a requester can set of a task beyond what every task has: kinds of settings, with bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.collect.tasks.task import FieldProblem, Json, TaskSettings


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


Knobs = Mapping[str, Bounded | FileName | Names | Text | OneOf]


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
