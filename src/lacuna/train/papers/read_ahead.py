"""Make the next batches while a network learns from this one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 0.1
"""Seconds after which a thread looks whether anybody still waits."""
_END = object()


def read_ahead(items: Iterable[T], count: int) -> Iterator[T]:
    """The same items in the same order, up to ``count`` of them made in advance by a thread.

    >>> list(read_ahead(range(4), 2))
    [0, 1, 2, 3]
    """
    queue: Queue[Any] = Queue(count)
    left = Event()
    problems: list[BaseException] = []

    def put(item: object) -> None:
        while not left.is_set():
            try:
                queue.put(item, timeout=PATIENCE)
            except Full:
                continue
            return

    def make() -> None:
        try:
            for item in items:
                if left.is_set():
                    return
                put(item)
        except BaseException as problem:  # raised again where the items are used
            problems.append(problem)
        put(_END)

    thread = Thread(target=make, daemon=True)
    thread.start()
    try:
        while (item := queue.get()) is not _END:
            yield item
        if problems:
            raise problems[0]
    finally:
        left.set()
        thread.join()
