"""Random choices that come out the same on every Python version.

Only ``random()`` is promised to give the same numbers for a seed in every version, so the choices
here are made of it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def pick(random: Random, items: Sequence[Item]) -> Item:
    """One item, each as likely as the others."""
    return items[pick_index(random, len(items))]


def pick_index(random: Random, size: int) -> int:
    """A number from 0 up to ``size``, without it."""
    return int(random.random() * size)


def shuffled(random: Random, items: Sequence[Item]) -> list[Item]:
    """All items in random order."""
    return sorted(items, key=lambda _: random.random())
