"""Let the next files be read while the last one is written."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

from lacuna.corpus.formats.apart.begin import is_busy
from lacuna.errors import LacunaError

FILES_AHEAD = max(1, min(3, (os.cpu_count() or 1) - 1))
"""One process reads each of them; writing needs a processor too."""


class Begun(Protocol):
    """What was begun, and goes on elsewhere."""

    def finish(self) -> None:
        """Wait until it is done."""
        ...

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        ...


Item = TypeVar("Item")
Work = TypeVar("Work", bound=Begun)


def read_ahead(
    items: Iterable[Item], begin: Callable[[Item], Work]
) -> Generator[tuple[Item, Work], None, None]:
    """Each item with what was begun for it and is finished, in order.

    Where the items break off with an error, such as an archive that is damaged, those before that
    place are given first.
    """
    going_on: deque[tuple[Item, Work]] = deque()
    finished: list[tuple[Item, Work]] = []
    problem: LacunaError | None = None
    try:
        try:
            for item in items:
                going_on.append((item, begin(item)))
                yield from finished
                finished.clear()
                if is_busy(len(going_on), FILES_AHEAD):
                    finished.append(_oldest(going_on))
        except LacunaError as error:
            problem = error
        yield from finished
        while going_on:
            yield _oldest(going_on)
    finally:
        for _, work in going_on:
            work.abandon()
    if problem is not None:
        raise problem


def _oldest(going_on: deque[tuple[Item, Work]]) -> tuple[Item, Work]:
    going_on[0][1].finish()  # it stays there until it is: whatever happens, it can be abandoned
    return going_on.popleft()
