"""The queue in front of the workers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from lacuna.web.refusals import Refusal
from lacuna.web.work_queue import FollowedWork, WorkQueue


@pytest.fixture
def held() -> Iterator[tuple[WorkQueue, threading.Event]]:
    """A queue with one worker, who is busy until the event is set, and room for two."""
    queue = WorkQueue(workers=1, room=2)
    go, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go.wait(20)

    queue.join(work)
    assert begun.wait(20)
    yield queue, go
    go.set()
    queue.close()


def test_work_is_followed_word_by_word(held: tuple[WorkQueue, threading.Event]) -> None:
    queue, go = held

    def work(tell: Callable[[str], None]) -> int:
        tell("begun")
        tell("done")
        return 42

    async def follow() -> tuple[list[str | int], int]:
        followed: FollowedWork[str, int] = FollowedWork(queue, work)
        said = []
        async for word in followed.words():
            said.append(word)
            go.set()
        return said, followed.future.result()

    assert asyncio.run(follow()) == ([1, "begun", "done"], 42)


def test_work_is_followed_no_longer_than_one_may(held: tuple[WorkQueue, threading.Event]) -> None:
    async def follow() -> tuple[list[object], bool]:
        followed: FollowedWork[str, None] = FollowedWork(held[0], lambda _: None)
        said: list[object] = [word async for word in followed.words(0.01)]
        followed.leave()
        return said, followed.future.cancelled()

    assert asyncio.run(follow()) == ([1], True)


def test_first_come_first_served(held: tuple[WorkQueue, threading.Event]) -> None:
    queue, go = held
    done: list[int] = []
    futures = [queue.join(partial(done.append, number)) for number in (1, 2)]
    assert [queue.ahead(future) for future in futures] == [1, 2]
    go.set()
    for future in futures:
        future.result(20)
    assert done == [1, 2]
    assert queue.ahead(futures[0]) is None


def test_full(held: tuple[WorkQueue, threading.Event]) -> None:
    queue, _ = held
    for _ in range(2):
        queue.join(lambda: None)
    with pytest.raises(Refusal) as refused:
        queue.join(lambda: None)
    assert refused.value.status == 503
    assert int(refused.value.headers["Retry-After"]) >= 1


def test_full_before_the_workers_have_looked() -> None:
    queue = WorkQueue(workers=1, room=2)
    with queue._changed:  # no worker can take anything now
        for _ in range(3):
            queue.join(lambda: None)
        with pytest.raises(Refusal):
            queue.join(lambda: None)
    queue.close()


def test_who_leaves_makes_room_and_is_not_served(held: tuple[WorkQueue, threading.Event]) -> None:
    queue, go = held
    done: list[str] = []
    gone = queue.join(lambda: done.append("gone"))
    queue.join(lambda: done.append("stayed"))
    queue.leave(gone)
    last = queue.join(lambda: done.append("came later"))
    go.set()
    last.result(20)
    assert done == ["stayed", "came later"]


def test_leaving_when_it_is_begun_changes_nothing() -> None:
    queue = WorkQueue(workers=1, room=1)
    go, begun = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        assert go.wait(20)
        return "done"

    future = queue.join(work)
    assert begun.wait(20)
    queue.leave(future)
    go.set()
    assert future.result(20) == "done"
    queue.close()


def test_an_error_reaches_who_waits_and_the_worker_goes_on() -> None:
    queue = WorkQueue(workers=1, room=1)

    def broken() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        queue.join(broken).result(20)
    assert queue.join(lambda: "well").result(20) == "well"
    queue.close()


def test_closing_sends_everyone_away(held: tuple[WorkQueue, threading.Event]) -> None:
    queue, go_on = held
    future = queue.join(lambda: None)
    (begun,) = queue._begun
    queue.close()
    assert isinstance(future.exception(), Refusal)
    with pytest.raises(Refusal, match="shutting down"):
        queue.join(lambda: None)
    assert not begun.done(), "what has begun goes on"
    queue.abandon()
    assert isinstance(begun.exception(), Refusal)
    go_on.set()
