"""What a requester can set of KGD's two rounds.

The defaults are the paper's where it has one, but for ``agree``: the paper keeps what two people
``found``, and here they must have found the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.collect.tasks.knobs import Bounded, Knobs, OneOf, Text, check_more, set_to
from lacuna.collect.tasks.task import FieldProblem, TaskSettings

SAME, FOUND = "same", "found"
"""When two people agree about a gap: they mark words in common and tick a relation in common, or
each of them has found some words and some relation."""

FACTS: Knobs = {
    "train_file": Text(),
    "dev_file": Text(),
    "test_file": Text(),
    "facts_file": Text(),
    "only_short": OneOf(("yes", "no")),
    "facts_per_question": Bounded(5, 1, 50),
    "questions": Bounded(0, 0, 10**6),
    "people": Bounded(3, 1, 9),
    "enough": Bounded(2, 1, 9),
}
"""``questions`` of each file are taken, 0 for all; ``enough`` of the ``people`` must agree."""
GAPS: Knobs = {
    "people": Bounded(3, 1, 9),
    "enough": Bounded(2, 1, 9),
    "agree": OneOf((SAME, FOUND)),
}
FILES = {"train": "train_file", "dev": "dev_file", "test": "test_file"}
"""The settings that name the questions of each split."""


def option_problems(settings: TaskSettings, knobs: Knobs) -> Sequence[FieldProblem]:
    """What is wrong with what is set."""
    if problems := check_more(settings, knobs):
        return problems
    more = set_to(settings, knobs)
    if more["enough"] > more["people"]:
        return [FieldProblem("more.enough", "There are not that many people.")]
    return []
