"""Drafts: two tabs, a lost answer, a lapsed lease, and anything that JSON can say."""

from __future__ import annotations

from json import dumps, loads

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from set_clock import MakeWork, SetClock
from stand_in_task import WRITE

from lacuna_collect.refused import RefusedError
from lacuna_collect.work.assignments import Assigned, Saved, StaleDraft
from lacuna_collect.work.submitting import LONGEST
from lacuna_collect.work.work import Work

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=20)
SIMPLE = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | ANY_TEXT
ANY_JSON = st.recursive(
    SIMPLE | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


def begun(work: Work, person: int) -> int:
    assigned = work.next(person, WRITE)
    assert isinstance(assigned, Assigned)
    return assigned.assignment


def test_saved_draft_is_there_on_another_device(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    time_set.pass_minutes(10)
    assert isinstance(saved := work.save(people[0], mine, {"word": "h"}, 0, 42), Saved)
    assert saved.version == 1
    there = work.open(people[0], mine)
    assert (there.draft, there.version, there.seconds) == ({"word": "h"}, 1, 42)


def test_stale_draft_of_a_second_tab_is_refused_with_the_newer(
    make_work: MakeWork, people: list[int]
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    work.save(people[0], mine, {"word": "first tab"}, 0, 1)
    stale = work.save(people[0], mine, {"word": "second tab"}, 0, 1)
    assert stale == StaleDraft(1, {"word": "first tab"})
    assert work.open(people[0], mine).draft == {"word": "first tab"}


def test_save_whose_answer_was_lost_can_be_sent_again(
    make_work: MakeWork, people: list[int]
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    first = work.save(people[0], mine, {"word": "once"}, 0, 1)
    assert work.save(people[0], mine, {"word": "once"}, 0, 1) == first


def test_saving_keeps_the_item(make_work: MakeWork, people: list[int], time_set: SetClock) -> None:
    work = make_work(items=1, minutes=30)
    mine = begun(work, people[0])
    for version in range(4):
        time_set.pass_minutes(20)
        assert isinstance(work.save(people[0], mine, {}, version, 1), Saved)
        assert not isinstance(work.next(people[1], WRITE), Assigned)


def test_draft_is_kept_even_if_the_item_has_gone(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work(items=1, minutes=30)
    mine = begun(work, people[0])
    time_set.pass_minutes(31)
    begun(work, people[1])
    assert isinstance(saved := work.save(people[0], mine, {"word": "late"}, 0, 1), Saved)
    assert saved.is_expired
    assert work.open(people[0], mine).draft == {"word": "late"}


def test_time_spent_is_what_can_be(
    make_work: MakeWork, people: list[int], time_set: SetClock
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    time_set.pass_minutes(1)
    for version, said in enumerate((float("nan"), float("inf"), -5.0, 1e300)):
        work.save(people[0], mine, {}, version, said)
        assert work.open(people[0], mine).seconds == (60 if said == 1e300 else 0)


def test_far_too_long_is_refused(make_work: MakeWork, people: list[int]) -> None:
    work = make_work()
    mine = begun(work, people[0])
    with pytest.raises(RefusedError, match="far longer"):
        work.save(people[0], mine, {"word": "x" * LONGEST}, 0, 1)
    assert work.open(people[0], mine).version == 0


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draft=st.dictionaries(ANY_TEXT, ANY_JSON, max_size=3).map(dumps).map(loads))
def test_any_json_comes_back_as_it_was(
    make_work: MakeWork, people: list[int], draft: dict[str, object]
) -> None:
    work = make_work()
    mine = begun(work, people[0])
    version = work.open(people[0], mine).version
    assert isinstance(work.save(people[0], mine, draft, version, 1), Saved)
    assert work.open(people[0], mine).draft == draft
    work.remember_loop(people[0], mine, "1", draft)
