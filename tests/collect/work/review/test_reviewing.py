"""Reviewers decide, workers are paid, and everybody can be asked how it goes."""

from __future__ import annotations

import pytest
from set_clock import MakeWork, SetClock
from stand_in_task import CHECK, WRITE

from lacuna_collect.refused import RefusedError
from lacuna_collect.work.assignments import Assigned, AssignmentState, Submitted
from lacuna_collect.work.work import Work


def hand_in(work: Work, person: int, word: str = "x", task: str = WRITE) -> int:
    assigned = work.next(person, task)
    assert isinstance(assigned, Assigned), assigned
    key = f"{assigned.assignment}-{assigned.version}"
    assert isinstance(work.submit(person, assigned.assignment, {"word": word}, key, 60), Submitted)
    return assigned.assignment


def test_sent_back_and_mended(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(review_all=True)
    mine = hand_in(work, people[0], "bad")
    (waiting,) = work.reviews.queue(WRITE)
    work.reviews.send_back(waiting.submission, "Too short.", reviewer=people[3])
    again = work.next(people[0], WRITE)
    assert isinstance(again, Assigned)
    assert (again.assignment, again.state, again.returned_reason, again.draft) == (
        mine,
        AssignmentState.RETURNED,
        "Too short.",
        {"word": "bad"},
    )
    hand_in(work, people[0], "good")
    (better,) = work.reviews.queue()
    assert better.work == {"word": "good"}
    with pytest.raises(RefusedError, match="decided about this meanwhile"):
        work.reviews.accept(waiting.submission)
    work.reviews.accept(better.submission)
    assert [done.work for done in work.finished.of(WRITE)] == [{"word": "good"}]
    assert [row.cents for row in work.ledger.rows(people[0])] == [400]


def test_two_reviewers_cannot_both_decide(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(review_all=True)
    hand_in(work, people[0])
    (waiting,) = work.reviews.queue()
    work.reviews.reject(waiting.submission, "Spam.")
    with pytest.raises(RefusedError, match="decided about this meanwhile"):
        work.reviews.accept(waiting.submission)
    with pytest.raises(RefusedError, match="decided about this meanwhile"):
        work.reviews.send_back(waiting.submission, "Mend.")
    with pytest.raises(RefusedError, match="decided about this meanwhile"):
        work.reviews.reject(waiting.submission, "Spam.")
    assert work.finished.of(WRITE) == []
    assert work.ledger.rows() == []


def test_rejected_item_goes_to_somebody_else(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(items=1, review_all=True)
    hand_in(work, people[0])
    assert not isinstance(work.next(people[1], WRITE), Assigned)
    work.reviews.reject(work.reviews.queue()[0].submission, "Spam.")
    assert not isinstance(work.next(people[0], WRITE), Assigned)
    hand_in(work, people[1])


def test_repaired_work_is_the_worker_s(make_work: MakeWork, people: list[int]) -> None:
    work = make_work(review_all=True)
    hand_in(work, people[0], "tre")
    (waiting,) = work.reviews.queue()
    assert work.reviews.repair(waiting.submission, {"word": ""})[0].field == "word"
    assert work.reviews.repair(waiting.submission, {"word": "tree"}, reviewer=people[3]) == []
    (done,) = work.finished.of(WRITE)
    assert (done.work, done.person) == ({"word": "tree"}, people[0])
    assert work.reviews.queue() == []


def test_inspection_samples_are_what_nobody_has_seen(
    make_work: MakeWork, people: list[int]
) -> None:
    work = make_work(items=3)
    for _ in range(3):
        hand_in(work, people[0])
    assert len(work.reviews.inspection_sample(2)) == 2
    sample = work.reviews.inspection_sample(9, task=WRITE, person=people[0])
    assert len(sample) == 3
    work.reviews.accept(sample[0].submission)
    left = {item.submission for item in work.reviews.inspection_sample(9)}
    assert left == {item.submission for item in sample[1:]}
    work.reviews.reject(sample[1].submission, "Spam after all.")
    assert len(work.finished.of(WRITE)) == 2
    assert len(work.ledger.rows()) == 3, "what was paid stays paid"


def test_progress_and_quality(make_work: MakeWork, people: list[int], time_set: SetClock) -> None:
    work = make_work(items=1, tests=1)
    for person, word in zip(people, ("right", "right", "right", "wrong"), strict=True):
        assigned = work.next(person, WRITE)
        assert isinstance(assigned, Assigned)
        time_set.pass_minutes(1)
        work.submit(person, assigned.assignment, {"word": word}, "test", 60)
    mine = work.next(people[0], WRITE)
    assert isinstance(mine, Assigned)
    time_set.pass_minutes(30)
    work.submit(people[0], mine.assignment, {"word": "tree"}, "k", 1800)
    for person, word in zip(people[1:], ("tree", "tree", "bush"), strict=True):
        hand_in(work, person, word, CHECK)
    write, check = work.progress.all()
    assert (write.wanted, write.accepted, write.qualified, write.failed) == (1, 1, 3, 1)
    assert (write.pay_cents, write.dollars_per_hour) == (400, 8.0)
    assert sum(count for _, count in check.accepted_by_hour) == 3
    qualities = {(one.name, one.task): one for one in work.workers.all()}
    assert qualities["ada", WRITE].gold == 1
    assert qualities["dan", WRITE].passed is False
    assert [qualities[name, CHECK].agreement for name in ("ben", "cleo", "dan")] == [0.5, 0.5, 0]
    assert work.ledger.earnings(people[0]).dollars_per_hour == 8.0
    assert [line.cents for line in work.history(people[0])] == [400, 0]
    assert [task.qualified for task in work.tasks_for(people[3])] == [False, True]


def test_bonus_is_given_once(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    assert work.ledger.give_bonus(people[0], WRITE, 500, "Best of 200", reference="best-1")
    assert not work.ledger.give_bonus(people[0], WRITE, 500, "Best of 200", reference="best-1")
    assert work.ledger.earnings(people[0]).bonus_cents == 500


def test_messages_and_reports(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    work.messages.send(people[0], "Well done.", sender=people[3])
    work.messages.send(people[0], "Thanks.", sender=people[0])
    assert [(one.from_worker, one.text) for one in work.messages.of(people[0])] == [
        (False, "Well done."),
        (True, "Thanks."),
    ]
    assert work.messages.unread_by_worker(people[0]) == 1
    assert work.messages.unread_by_requesters() == {people[0]: 1}
    work.messages.mark_read(people[0], by_worker=True)
    work.messages.mark_read(people[0], by_worker=False)
    assert work.messages.unread_by_worker(people[0]) == 0
    assert work.messages.unread_by_requesters() == {}
    assigned = work.next(people[0], WRITE)
    assert isinstance(assigned, Assigned)
    work.report(people[0], assigned.assignment, "A picture is missing.")
    (report,) = work.reports.all()
    assert (report.item_key, report.text) == ("text-0", "A picture is missing.")
    work.reports.settle(report.id)
    assert work.reports.all() == []
    for bad in ("", "\0", "\ud800", "x" * 5000):
        with pytest.raises(RefusedError):
            work.messages.send(people[0], bad, sender=people[0])
