"""All families of tasks, and tasks by name; a family is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from lacuna.errors import no_such
from lacuna_collect.tasks.task import CollectFamily

FAMILY_TASKS = {
    "iirc": ("iirc-questions", "iirc-answers"),
    "hotpotqa": ("hotpotqa-categories", "hotpotqa-lists", "hotpotqa-questions", "hotpotqa-hops"),
    "kgd": ("kgd-facts", "kgd-gaps"),
    "human": ("human-check",),
    "quac": ("quac-dialogs", "quac-validation"),
}
"""The names that can be given on the command line, without loading what is behind them."""
WITHOUT_CORPUS = frozenset({"kgd", "human"})
"""Families whose items are made from files of questions; a corpus may be given all the same."""


def family_named(name: str) -> CollectFamily:
    """A family by the name of its dataset."""
    if name not in FAMILY_TASKS:
        raise no_such("family of tasks", name, list(FAMILY_TASKS))
    family: CollectFamily = import_module(f"lacuna_collect.tasks.{name}").FAMILY
    return family


def family_of(task: str) -> CollectFamily:
    """The family that a task belongs to."""
    for name, tasks in FAMILY_TASKS.items():
        if task in tasks:
            return family_named(name)
    known = [task for tasks in FAMILY_TASKS.values() for task in tasks]
    raise no_such("task", task, known)
