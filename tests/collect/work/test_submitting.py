"""Work that is handed in: once, twice, late, from another tab, and by somebody who is blocked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from set_clock import MakeWork, SetClock
from stand_in_task import CHECK, WRITE

from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.people.accounts import Accounts
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import FieldProblem
from lacuna_collect.work.assignments import Assigned, AssignmentState, Submitted
from lacuna_collect.work.work import Work


def begun(work: Work, person: int, task: str = WRITE) -> int:
    assigned = work.next(person, task)
    assert isinstance(assigned, Assigned), assigned
    return assigned.assignment


def test_problems_stand_at_their_fields_and_nothing_is_kept(
    make_work: MakeWork, people: list[int]
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    assert work.submit(people[0], mine, {"word": " "}, "k", 1) == [
        FieldProblem("word", "Write a word.")
    ]
    assert work.open(people[0], mine).state is AssignmentState.OPEN


def test_sent_twice_is_kept_once(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    mine = begun(work, people[0])
    first = work.submit(people[0], mine, {"word": "x"}, "same key", 1)
    assert isinstance(first, Submitted)
    assert work.submit(people[0], mine, {"word": "x"}, "same key", 1) == first
    assert len(work.finished.of(WRITE)) == len(work.ledger.rows()) == 1


def test_sent_many_times_at_once_is_kept_once(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    mine = begun(work, people[0])
    barrier = Barrier(6)

    def send(_: int) -> object:
        barrier.wait()
        return work.submit(people[0], mine, {"word": "x"}, "same key", 1)

    with ThreadPoolExecutor(6) as pool:
        receipts = list(pool.map(send, range(6)))
    assert all(receipt == receipts[0] for receipt in receipts)
    assert len(work.finished.of(WRITE)) == 1
    assert [row.cents for row in work.ledger.rows()] == [400]


def test_second_tab_cannot_change_what_was_handed_in(
    make_work: MakeWork, people: list[int]
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    work.submit(people[0], mine, {"word": "x"}, "one", 1)
    with pytest.raises(RefusedError, match="handed in already"):
        work.submit(people[0], mine, {"word": "y"}, "two", 1)
    with pytest.raises(RefusedError, match="handed in already"):
        work.save(people[0], mine, {"word": "y"}, 1, 1)
    assert [done.work for done in work.finished.of(WRITE)] == [{"word": "x"}]


def test_late_work_is_kept_and_told(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work(items=1, minutes=30)
    mine = begun(work, people[0])
    time_set.pass_minutes(31)
    other = begun(work, people[1])
    late = work.submit(people[0], mine, {"word": "late"}, "k", 1)
    assert isinstance(late, Submitted)
    assert late.late
    assert late.state is AssignmentState.WAITING
    assert "after its time was up" in late.message
    assert work.submit(people[0], mine, {"word": "late"}, "k", 1) == late
    assert isinstance(work.submit(people[1], other, {"word": "in time"}, "k", 1), Submitted)
    assert [done.work["word"] for done in work.finished.of(WRITE)] == ["in time"]
    (waiting,) = work.reviews.queue()
    assert (waiting.late, waiting.has_place) == (True, False)
    work.reviews.accept(waiting.submission)
    assert sorted(done.work["word"] for done in work.finished.of(WRITE)) == ["in time", "late"]


def test_late_work_is_taken_as_usual_while_its_item_is_free(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work(items=1, minutes=30)
    mine = begun(work, people[0])
    time_set.pass_minutes(31)
    done = work.submit(people[0], mine, {"word": "late"}, "k", 1)
    assert isinstance(done, Submitted)
    assert (done.late, done.state) == (True, AssignmentState.ACCEPTED)


def test_accepted_work_makes_items_of_the_next_task(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=1)
    work.submit(people[0], begun(work, people[0]), {"word": "tree"}, "k", 1)
    for person in people[1:]:
        work.submit(person, begun(work, person, CHECK), {"word": "tree"}, "k", 1)
    assert len(work.finished.of(CHECK)) == 3


def test_loop_is_kept_with_the_work(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    mine = begun(work, people[0])
    work.remember_loop(people[0], mine, "1", {"answer": "yes"})
    work.submit(people[0], mine, {"word": "x"}, "k", 1)
    (done,) = work.finished.of(WRITE)
    assert done.loop == {"1": {"answer": "yes"}}


def test_blocked_people_do_nothing_and_their_items_go_to_others(
    make_work: MakeWork, people: list[int], database: CollectDatabase
) -> None:
    work = make_work(items=1)
    mine = begun(work, people[0])
    accounts = Accounts(database)
    accounts.block(people[0], "Only spam.")
    for attempt in (
        lambda: work.next(people[0], WRITE),
        lambda: work.save(people[0], mine, {}, 0, 1),
        lambda: work.submit(people[0], mine, {"word": "x"}, "k", 1),
    ):
        with pytest.raises(RefusedError, match=r"Only spam\."):
            attempt()
    begun(work, people[1])
    accounts.unblock(people[0])
    work.save(people[0], mine, {"word": "kept"}, 0, 1)
