"""Settings of tasks as they are given on the command line: ``iirc-questions.paragraphs=3``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from lacuna.collect.project_file import read_settings
from lacuna.collect.tasks.task import TaskSettings
from lacuna.errors import LacunaError, no_such

COMMON = frozenset(field.name for field in fields(TaskSettings)) - {"more"}


def set_by_hand(
    tasks: Mapping[str, TaskSettings], given: Iterable[str], task: str
) -> dict[str, TaskSettings]:
    """The settings with those changed that are given as NAME=VALUE or TASK.NAME=VALUE.

    ``task`` is meant where none is named. What a task calls its own goes into ``more``, and is
    checked by the task.
    """
    changed: dict[str, dict[str, Any]] = {name: asdict(each) for name, each in tasks.items()}
    for one in given:
        where, equals, value = one.partition("=")
        named, dot, name = where.strip().rpartition(".")
        if not (equals and name):
            raise LacunaError(f"--set is NAME=VALUE or TASK.NAME=VALUE, and not {one!r}.")
        of = named if dot else task
        if of not in changed:
            raise no_such("task", of, list(changed))
        place = changed[of] if name in COMMON else changed[of]["more"]
        place[name] = _value(value.strip())
    try:
        return {name: read_settings(name, said) for name, said in changed.items()}
    except ValueError as error:
        raise LacunaError(f"--set cannot be used: {error}.") from error


def _value(text: str) -> Any:
    """A number, true, false or a list as JSON writes them; anything else is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
