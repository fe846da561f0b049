"""Descriptions of files and of made-up items, part by part."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Item
from lacuna_lab.describe.description import DescribedPart

Parts = dict[str, DescribedPart]


def describe_items(name: str, items: Iterable[Item]) -> Parts:
    description = get_dataset(name).description()
    for item in items:
        description.add(item)
    return {part.name: part for part in description.parts()}


def describe_file(name: str, path: Path) -> Parts:
    with get_dataset(name).open(path) as reader:
        return describe_items(name, reader)


def value(part: DescribedPart, label: str, column: int = 1) -> Any:
    """A cell of a table, by the label of its row."""
    return next(row for row in part.table.rows if row[0] == label)[column]
