"""Who gets what: never twice to one person, never to more people than there are copies."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from set_clock import MakeWork, SetClock
from stand_in_task import CHECK, WRITE

from lacuna_collect.refused import RefusedError
from lacuna_collect.work.assignments import Assigned, NoWork, NoWorkReason, Submitted
from lacuna_collect.work.work import Work


def given(work: Work, person: int, task: str = WRITE) -> Assigned:
    assigned = work.next(person, task)
    assert isinstance(assigned, Assigned), assigned
    return assigned


def refused(work: Work, person: int, task: str = WRITE) -> NoWorkReason:
    nothing = work.next(person, task)
    assert isinstance(nothing, NoWork), nothing
    return nothing.reason


def hand_in(work: Work, person: int, word: str = "word", task: str = WRITE) -> Submitted:
    assignment = given(work, person, task).assignment
    done = work.submit(person, assignment, {"word": word}, f"key-{assignment}", 60)
    assert isinstance(done, Submitted), done
    return done


def test_only_what_the_task_shows_leaves(make_work: MakeWork, people: list[int]) -> None:
    assigned = given(make_work(), people[0])
    assert assigned.shown == {"text": "Text 0"}
    assert "hidden" not in repr(assigned)


def test_what_was_begun_comes_first(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    assert given(work, people[0]) == given(work, people[0])


def test_nobody_gets_an_item_twice_nor_one_that_others_have(
    make_work: MakeWork, people: list[int]
) -> None:
    work = make_work(items=3)
    texts = [given(work, person).shown["text"] for person in people[:3]]
    assert sorted(texts) == ["Text 0", "Text 1", "Text 2"]
    assert refused(work, people[3]) is NoWorkReason.FINISHED


def test_many_who_ask_at_once_get_different_items(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=1)
    barrier = Barrier(len(people) * 2)

    def ask(person: int) -> int | None:
        barrier.wait()
        found = work.next(person, WRITE)
        return found.assignment if isinstance(found, Assigned) else None

    with ThreadPoolExecutor(len(people) * 2) as pool:
        found = list(pool.map(ask, people * 2))
    winners = {assignment for assignment in found if assignment is not None}
    assert len(winners) == 1
    assert Counter(found)[None] == len(people) * 2 - 2, "two tabs of one person get the same"


def test_one_who_asks_in_many_tabs_gets_one_item(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=8)
    barrier = Barrier(6)

    def ask(_: int) -> int:
        barrier.wait()
        return given(work, people[0]).assignment

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(ask, range(6)))) == 1


def test_a_writer_does_not_check_their_own(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=1)
    hand_in(work, people[0], "tree")
    assert refused(work, people[0], CHECK) is NoWorkReason.FINISHED
    for person in people[1:]:
        assert given(work, person, CHECK).shown == {"text": "tree"}


def test_another_s_assignment_does_not_exist(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    theirs = given(work, people[0]).assignment
    tries = (
        lambda: work.open(people[1], theirs),
        lambda: work.save(people[1], theirs, {}, 0, 1),
        lambda: work.submit(people[1], theirs, {"word": "mine"}, "key", 1),
        lambda: work.skip(people[1], theirs, ""),
        lambda: work.report(people[1], theirs, "broken"),
        lambda: work.remember_loop(people[1], theirs, "1", {}),
    )
    for attempt in tries:
        with pytest.raises(RefusedError) as error:
            attempt()
        with pytest.raises(RefusedError) as of_none:
            work.open(people[1], theirs + 1000)
        assert (error.value.code, str(error.value)) == (of_none.value.code, str(of_none.value))
    assert work.open(people[0], theirs).version == 0


def test_limit_of_sets(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(per_person=1)
    hand_in(work, people[0])
    assert refused(work, people[0]) is NoWorkReason.LIMIT


def test_first_sets_are_inspected(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=5, inspect_first=2)
    hand_in(work, people[0])
    hand_in(work, people[0])
    assert refused(work, people[0]) is NoWorkReason.INSPECTION
    assert work.finished.of(WRITE) == []
    first, second = work.reviews.queue()
    work.reviews.accept(first.submission)
    assert refused(work, people[0]) is NoWorkReason.INSPECTION
    work.reviews.accept(second.submission)
    hand_in(work, people[0])
    assert len(work.finished.of(WRITE)) == 3, "the third needs no reviewer"


def test_test_comes_before_work(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(tests=2, pass_mark=0.5)
    assert given(work, people[0]).tests_left == 2
    hand_in(work, people[0], "right")
    assert hand_in(work, people[0], "wrong").message == "Thank you! You passed the test."
    assert not given(work, people[0]).is_test
    hand_in(work, people[1], "wrong")
    hand_in(work, people[1], "wrong")
    assert refused(work, people[1]) is NoWorkReason.NOT_QUALIFIED
    work.qualifications.set(people[1], WRITE, passed=True)
    assert not given(work, people[1]).is_test
    assert work.finished.of(WRITE) == [], "a test is no work"
    assert work.ledger.rows() == []


def test_expired_goes_to_others_and_clock_set_back_changes_nothing(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work(items=1, minutes=30)
    given(work, people[0])
    time_set.pass_minutes(29)
    time_set.wall -= 86_400  # somebody sets the clock back a day
    assert refused(work, people[1]) is NoWorkReason.FINISHED
    time_set.steady += 2 * 60
    assert given(work, people[1]).shown == {"text": "Text 0"}, "half an hour has gone by"


def test_what_lapsed_is_resumed_if_nobody_took_it(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work(items=1, minutes=30)
    mine = given(work, people[0]).assignment
    work.save(people[0], mine, {"word": "half"}, 0, 10)
    time_set.pass_minutes(31)
    again = given(work, people[0])
    assert (again.assignment, again.draft) == (mine, {"word": "half"})


def test_skipped_goes_to_others_unless_drawn(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=1)
    work.skip(people[0], given(work, people[0]).assignment, "too hard")
    assert refused(work, people[0]) is NoWorkReason.FINISHED
    assert given(work, people[1]).shown == {"text": "Text 0"}


def test_drawn_items(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=0, draws=3)
    first = given(work, people[0])
    work.skip(people[0], first.assignment, "a bad pair")
    texts = [given(work, person).shown["text"] for person in people[:2]]
    assert texts == ["Text 1", "Text 2"], "a bad pair goes to nobody else"
    assert refused(work, people[2]) is NoWorkReason.FINISHED


def test_many_who_draw_at_once_all_get_something(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=0, draws=10**6, inspect_first=0)

    def work_on(person: int) -> list[str]:
        return [hand_in(work, person).receipt for _ in range(8)]

    with ThreadPoolExecutor(len(people)) as pool:
        receipts = [receipt for some in pool.map(work_on, people) for receipt in some]
    assert len(set(receipts)) == len(receipts) == len(work.finished.of(WRITE))


def test_paused(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    mine = given(work, people[0]).assignment
    work.progress.pause(WRITE, True)
    assert refused(work, people[1]) is NoWorkReason.PAUSED
    assert isinstance(work.submit(people[0], mine, {"word": "x"}, "k", 1), Submitted)
    work.progress.pause(WRITE, False)
    given(work, people[1])
