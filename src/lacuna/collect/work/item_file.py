"""Items that are brought along in a file of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lacuna.collect.tasks.task import NewItem
from lacuna.collect.work.work import Work
from lacuna.errors import BadField, ItemError, no_such, shown

OPTIONAL: dict[str, tuple[type, Any]] = {
    "copies": (int, 1),
    "split": (str, ""),
    "not_for": (list, []),
}


def add_item_file(work: Work, path: Path) -> dict[str, int]:
    """Add all items of a file, after all of it was checked; how many are new, by task."""
    items: dict[str, list[NewItem]] = {}
    for task, item in _items(path, list(work.tasks)):
        items.setdefault(task, []).append(item)
    return {task: work.items.add(task, some) for task, some in items.items()}


def _items(path: Path, tasks: list[str]) -> Iterator[tuple[str, NewItem]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                said = json.loads(line)
            except ValueError as error:
                raise _bad(path, number, "line", "JSON", str(error)) from error
            yield _item(path, number, said, tasks)


def _item(path: Path, number: int, said: Any, tasks: list[str]) -> tuple[str, NewItem]:
    if not isinstance(said, dict):
        raise _bad(path, number, "line", "an object", shown(said))
    for field, kind in (("task", str), ("key", str), ("payload", dict)):
        if not isinstance(said.get(field), kind) or not said[field]:
            raise _bad(path, number, field, kind.__name__, shown(said.get(field)))
    if said["task"] not in tasks:
        raise no_such("task", said["task"], tasks)
    gold = said.get("gold")
    if gold is not None and not isinstance(gold, dict):
        raise _bad(path, number, "gold", "an object", shown(gold))
    more: dict[str, Any] = {}
    for field, (wanted, default) in OPTIONAL.items():
        more[field] = said.get(field, default)
        if not isinstance(more[field], wanted) or isinstance(more[field], bool):
            raise _bad(path, number, field, wanted.__name__, shown(more[field]))
    if more["copies"] < 1:
        raise _bad(path, number, "copies", "at least 1", shown(more["copies"]))
    if not all(type(person) is int for person in more["not_for"]):
        raise _bad(path, number, "not_for", "numbers of people", shown(more["not_for"]))
    more["not_for"] = tuple(more["not_for"])
    return said["task"], NewItem(said["key"], said["payload"], gold=gold, **more)


def _bad(path: Path, number: int, field: str, expected: str, found: str) -> ItemError:
    return ItemError(path, f"line {number}", BadField(field, expected, found), can_skip=False)
