"""A bounded queue in front of a few workers; what nobody waits for any more is not done."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from lacuna.server.refusals import Refusal

T = TypeVar("T")

FIRST_GUESS = 1.0
"""Seconds that a piece of work is expected to take before any was done."""
LONGEST_WAIT = 60


class WorkQueue:
    """Work is done in the order it comes, by a fixed number of threads.

    >>> queue = WorkQueue(workers=1, room=2)
    >>> queue.join(lambda: 6 * 7).result()
    42
    >>> queue.close()
    """

    def __init__(self, workers: int, room: int) -> None:
        self._workers = workers
        self._room = room
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._seconds = FIRST_GUESS
        self._busy = 0
        self._closed = False
        for number in range(workers):
            name = f"worker {number + 1}"
            threading.Thread(target=self._work, name=name, daemon=True).start()

    def join(self, work: Callable[[], T]) -> Future[T]:
        """Add work at the end; ``Refusal`` with 503 if the queue is full."""
        with self._changed:
            if len(self._waiting) + self._busy >= self._room + self._workers:
                raise self._full()
            future: Future[T] = Future()
            self._waiting.append((future, work))
            self._changed.notify()
        return future

    def leave(self, future: Future[Any]) -> None:
        """Take work out; what has begun is finished all the same."""
        if not future.cancel():
            return
        with self._changed:
            self._waiting = deque(item for item in self._waiting if item[0] is not future)

    def ahead(self, future: Future[Any]) -> int | None:
        """How many come before this one; None when it is being worked on, or done."""
        with self._changed:
            for position, (waiting, _) in enumerate(self._waiting):
                if waiting is future:
                    return position + self._busy
        return None

    def close(self) -> None:
        """Cancel all that waits, and end the workers."""
        with self._changed:
            self._closed = True
            for future, _ in self._waiting:
                future.cancel()
            self._waiting.clear()
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                future, work = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                self._busy += 1
            begun = time.monotonic()
            try:
                result = work()
            except BaseException as error:  # it belongs to whoever waits for the result
                self._finish(begun)
                future.set_exception(error)
            else:
                self._finish(begun)
                future.set_result(result)

    def _finish(self, begun: float) -> None:
        with self._changed:
            self._busy -= 1
            self._seconds += (time.monotonic() - begun - self._seconds) / 4

    def _full(self) -> Refusal:
        seconds = self._seconds * len(self._waiting) / self._workers
        wait = max(1, min(LONGEST_WAIT, math.ceil(seconds)))
        return Refusal(
            503,
            "busy",
            f"{len(self._waiting)} questions are waiting already. Try again in {wait} s.",
            {"Retry-After": str(wait)},
        )
