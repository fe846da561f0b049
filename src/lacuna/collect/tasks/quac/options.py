"""What a requester can set of QuAC's tasks alone; the defaults are the paper's where it has any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lacuna.collect.tasks.knobs import Bounded, Names
from lacuna.collect.tasks.live_task import DialogRules
from lacuna.collect.tasks.task import FieldProblem, Json, TaskSettings
from lacuna.corpus.mining.sections import FEWEST_IN_LINKS, SectionBounds


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


BOUNDS = SectionBounds()
OPTIONS: dict[str, Bounded | Names | Range | Switch] = {
    "fewest_in_links": Bounded(FEWEST_IN_LINKS, 0, 10**6),
    "people_only": Switch(True),
    "keywords": Names(()),
    "paragraphs": Range(BOUNDS.paragraphs),
    "tokens": Range(BOUNDS.tokens),
    "words_a_sentence": Range(BOUNDS.words_a_sentence),
    "sections": Bounded(1_000, 0, 10**6),
    "percent_dev": Bounded(11, 0, 100),
    "percent_test": Bounded(11, 0, 100),
    "dialogs_train": Bounded(3, 1, 100),
    "validators": Bounded(4, 1, 20),
    "pay_growth_cents": Bounded(2, 0, 1_000),
    "most_pairs": Bounded(12, 1, 100),
    "most_no_answers": Bounded(2, 0, 100),
    "fewest_pairs": Bounded(3, 1, 100),
    "reconnect_seconds": Bounded(60, 1, 3_600),
    "idle_warning_seconds": Bounded(120, 1, 3_600),
    "idle_end_seconds": Bounded(300, 2, 7_200),
    "same_pair_again": Switch(False),
    "simulated_after_seconds": Bounded(0, 0, 3_600),
}
"""``sections`` is how many are taken of the corpus, 0 for all. What is in seconds is our own, and
so are the shares of the splits by article: about a ninth of the paper's sections are in each."""


def defaults() -> Json:
    """What is set before anybody sets anything."""
    return {name: _plain(option.default) for name, option in OPTIONS.items()}


def options_of(settings: TaskSettings) -> Json:
    """What is set, with the defaults of what is not."""
    return {**defaults(), **settings.more}


def option_problems(settings: TaskSettings) -> Sequence[FieldProblem]:
    """Say what is wrong with what is set."""
    found = []
    for name, value in settings.more.items():
        option = OPTIONS.get(name)
        problem = f"There is no such setting. There are: {', '.join(OPTIONS)}."
        if option is not None:
            problem = option.problem(value)
        if problem:
            found.append(FieldProblem(f"more.{name}", problem))
    if found:
        return found
    options = options_of(settings)
    if options["percent_dev"] + options["percent_test"] > 100:
        found.append(
            FieldProblem("more.percent_test", "Both shares together are more than 100 percent.")
        )
    if options["fewest_pairs"] > options["most_pairs"]:
        found.append(FieldProblem("more.fewest_pairs", "No dialog has that many pairs."))
    if options["idle_end_seconds"] <= options["idle_warning_seconds"]:
        found.append(
            FieldProblem("more.idle_end_seconds", "The end has to come after the warning.")
        )
    return found


def rules_of(settings: TaskSettings) -> DialogRules:
    """When dialogs begin and end."""
    options = options_of(settings)
    names = DialogRules.__dataclass_fields__
    return DialogRules(**{name: options[name] for name in names})


def _plain(value: Any) -> Any:
    """A list, as the project's file gives it back."""
    return list(value) if isinstance(value, tuple) else value
