"""A bounded queue in front of a few workers; what nobody waits for any more is not done."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Generic, TypeVar

from lacuna.web.refusals import Refusal

T = TypeVar("T")
Word = TypeVar("Word")

FIRST_GUESS = 1.0
"""Seconds that a piece of work is expected to take before any was done."""
LONGEST_WAIT = 60
Full = Callable[[int, int], Refusal]
"""Makes the refusal of a full queue, from how many wait and after how many seconds to try again."""


def too_many_questions(waiting: int, seconds: int) -> Refusal:
    """The refusal of a question that finds the queue full."""
    return Refusal(
        503,
        "busy",
        f"{waiting} questions are waiting already. Try again in {seconds} s.",
        {"Retry-After": str(seconds)},
    )


def stopping() -> Refusal:
    """The refusal of what is not done because the server ends."""
    return Refusal(
        503,
        "stopping",
        "The server is shutting down. Ask again when it was started again.",
        {"Retry-After": "5"},
    )


class WorkQueue:
    """Work is done in the order it comes, by a fixed number of threads.

    ``on_begin`` is told how many seconds a piece of work has waited.
    What is not urgent waits until nothing else does, and counts for nobody who comes later.

    >>> queue = WorkQueue(workers=1, room=2)
    >>> queue.join(lambda: 6 * 7).result()
    42
    >>> queue.close()
    """

    def __init__(
        self,
        workers: int,
        room: int,
        full: Full = too_many_questions,
        on_begin: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._workers = workers
        self._room = room
        self._full = full
        self._on_begin = on_begin
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._unhurried: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._seconds = FIRST_GUESS
        self._begun: set[Future[Any]] = set()
        self._begun_unhurried: set[Future[Any]] = set()
        self._closed = False
        for number in range(workers):
            name = f"worker {number + 1}"
            threading.Thread(target=self._work, name=name, daemon=True).start()

    def join(self, work: Callable[[], T]) -> Future[T]:
        """Add work at the end; ``Refusal`` with 503 if the queue is full, or closed."""
        with self._changed:
            if self._closed:
                raise stopping()
            if len(self._waiting) + len(self._begun) >= self._room + self._workers:
                raise self._refusal()
            future: Future[T] = Future()
            self._waiting.append((future, self._in_its_request(work)))
            self._changed.notify()
        return future

    def join_unhurried(self, work: Callable[[], T]) -> Future[T]:
        """Add work that is begun only while nothing else waits; ``Refusal`` as in ``join``.

        While it goes on it should look at ``is_wanted``, and end where someone waits.
        """
        with self._changed:
            if self._closed:
                raise stopping()
            if len(self._unhurried) >= self._room:
                raise self._refusal()
            future: Future[T] = Future()
            self._unhurried.append((future, work))
            self._changed.notify()
        return future

    @property
    def is_wanted(self) -> bool:
        """Whether someone waits, or all work is to end."""
        return bool(self._waiting) or self._closed

    def leave(self, future: Future[Any]) -> None:
        """Take work out; what has begun is finished all the same."""
        if not future.cancel():
            return
        with self._changed:
            self._waiting = deque(item for item in self._waiting if item[0] is not future)
            self._unhurried = deque(item for item in self._unhurried if item[0] is not future)

    def ahead(self, future: Future[Any]) -> int | None:
        """How many come before this one; None when it is being worked on, or done."""
        with self._changed:
            for position, (waiting, _) in enumerate(self._waiting):
                if waiting is future:
                    return position + len(self._begun)
        return None

    def load(self) -> tuple[int, int]:
        """How many wait, and how many are being worked on."""
        with self._changed:
            return len(self._waiting), len(self._begun)

    def close(self) -> None:
        """Refuse what waits and what comes; what has begun goes on."""
        with self._changed:
            self._closed = True
            waiting = [future for future, _ in (*self._waiting, *self._unhurried)]
            self._waiting.clear()
            self._unhurried.clear()
            self._changed.notify_all()
        _refuse(waiting)

    def abandon(self) -> None:
        """Tell those who wait for what has begun that it will not be finished."""
        with self._changed:
            begun = [*self._begun, *self._begun_unhurried]
        _refuse(begun)

    def _in_its_request(self, work: Callable[[], T]) -> Callable[[], T]:
        """The work, with what its request has set: a line that it logs names the request."""
        joined, context = time.monotonic(), copy_context()

        def begin() -> T:
            self._on_begin(time.monotonic() - joined)
            return context.run(work)

        return begin

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._unhurried or self._closed)
                if self._closed:
                    return
                is_urgent = bool(self._waiting)
                future, work = (self._waiting if is_urgent else self._unhurried).popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                (self._begun if is_urgent else self._begun_unhurried).add(future)
            begun = time.monotonic()
            try:
                result = work()
            except BaseException as error:  # it belongs to whoever waits for the result
                self._finish(future, begun)
                with suppress(InvalidStateError):  # it was abandoned
                    future.set_exception(error)
            else:
                self._finish(future, begun)
                with suppress(InvalidStateError):
                    future.set_result(result)

    def _finish(self, future: Future[Any], begun: float) -> None:
        with self._changed:
            if future in self._begun_unhurried:
                self._begun_unhurried.discard(future)
                return
            self._begun.discard(future)
            self._seconds += (time.monotonic() - begun - self._seconds) / 4

    def _refusal(self) -> Refusal:
        seconds = self._seconds * len(self._waiting) / self._workers
        return self._full(len(self._waiting), max(1, min(LONGEST_WAIT, math.ceil(seconds))))


LOOK_AGAIN = 0.5
"""Seconds between two looks at how many are ahead."""


class FollowedWork(Generic[Word, T]):
    """Work in a queue that tells what it does; to be made in the loop that waits for it."""

    def __init__(self, queue: WorkQueue, work: Callable[[Callable[[Word], None]], T]) -> None:
        self._queue = queue
        self._loop = asyncio.get_running_loop()
        self._words: asyncio.Queue[Word | None] = asyncio.Queue()
        self.future = queue.join(lambda: work(self._put))
        self.future.add_done_callback(lambda _: self._put(None))

    def leave(self) -> None:
        """Nobody waits any more: work that has not begun is dropped."""
        self._queue.leave(self.future)

    async def words(self, seconds: float = math.inf) -> AsyncIterator[Word | int]:
        """What it tells, and how many come before it whenever that has changed, until it is done
        or the time is over."""
        ahead = None
        end = self._loop.time() + seconds
        while self._loop.time() < end:
            now_ahead = self._queue.ahead(self.future)
            if now_ahead != ahead and now_ahead is not None:
                yield now_ahead
            ahead = now_ahead
            try:
                word = await asyncio.wait_for(self._words.get(), LOOK_AGAIN)
            except TimeoutError:
                continue
            if word is None:
                return
            yield word

    def _put(self, word: Word | None) -> None:
        # The loop may have ended with the server while a worker was still at it.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._words.put_nowait, word)


def _refuse(futures: Iterable[Future[Any]]) -> None:
    for future in futures:
        with suppress(InvalidStateError):  # it was done just now, or nobody waits any more
            future.set_exception(stopping())
