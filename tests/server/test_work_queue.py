"""The line in front of the workers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial

import pytest

from lacuna.server.refusals import Refusal
from lacuna.server.work_queue import WorkQueue


@pytest.fixture
def held() -> Iterator[tuple[WorkQueue, threading.Event]]:
    """A line with one worker, who is busy until told otherwise, and room for two."""
    line = WorkQueue(workers=1, room=2)
    go, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go.wait(20)

    line.join(work)
    assert begun.wait(20)
    yield line, go
    go.set()
    line.close()


def test_first_come_first_served(held: tuple[WorkQueue, threading.Event]) -> None:
    line, go = held
    done: list[int] = []
    places = [line.join(partial(done.append, number)) for number in (1, 2)]
    assert [line.ahead(place) for place in places] == [1, 2]
    go.set()
    for place in places:
        place.result(20)
    assert done == [1, 2]
    assert line.ahead(places[0]) is None


def test_full(held: tuple[WorkQueue, threading.Event]) -> None:
    line, _ = held
    for _ in range(2):
        line.join(lambda: None)
    with pytest.raises(Refusal) as refused:
        line.join(lambda: None)
    assert refused.value.status == 503
    assert int(refused.value.headers["Retry-After"]) >= 1


def test_full_before_the_workers_have_looked() -> None:
    line = WorkQueue(workers=1, room=2)
    with line._changed:  # no worker can take anything now
        for _ in range(3):
            line.join(lambda: None)
        with pytest.raises(Refusal):
            line.join(lambda: None)
    line.close()


def test_who_leaves_makes_room_and_is_not_served(held: tuple[WorkQueue, threading.Event]) -> None:
    line, go = held
    done: list[str] = []
    gone = line.join(lambda: done.append("gone"))
    line.join(lambda: done.append("stayed"))
    line.leave(gone)
    last = line.join(lambda: done.append("came later"))
    go.set()
    last.result(20)
    assert done == ["stayed", "came later"]


def test_leaving_when_it_is_begun_changes_nothing() -> None:
    line = WorkQueue(workers=1, room=1)
    go, begun = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        assert go.wait(20)
        return "done"

    place = line.join(work)
    assert begun.wait(20)
    line.leave(place)
    go.set()
    assert place.result(20) == "done"
    line.close()


def test_an_error_reaches_who_waits_and_the_worker_goes_on() -> None:
    line = WorkQueue(workers=1, room=1)

    def broken() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        line.join(broken).result(20)
    assert line.join(lambda: "well").result(20) == "well"
    line.close()


def test_closing_sends_everyone_away(held: tuple[WorkQueue, threading.Event]) -> None:
    line, _ = held
    place = line.join(lambda: None)
    line.close()
    assert place.cancelled()
