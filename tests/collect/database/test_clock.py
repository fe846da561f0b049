"""The clock never runs backwards and never stands still."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from set_clock import SetClock

from lacuna_collect.database.engine import CollectClock, CollectDatabase


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0, 100), st.floats(0, 2e9))))
def test_time_goes_on_at_least_as_fast_as_it_really_does(
    steps: list[tuple[float, float, float]],
) -> None:
    source = SetClock()
    last = source.clock.now()
    for jump, elapsed, seen in steps:
        source.wall += jump
        before = source.steady
        source.steady += elapsed
        now = source.clock.now(seen)
        # What was added to it and what it then shows to have passed differ by a rounding.
        assert now >= max(last + (source.steady - before), seen, source.wall)
        last = now


def test_time_in_the_database_holds_after_a_restart(url: str) -> None:
    first = CollectDatabase.open(url, clock=CollectClock(lambda: 2_000.0, lambda: 0.0))
    with first.begin() as transaction:
        transaction.log("something")
    first.close()
    second = CollectDatabase.open(url, clock=CollectClock(lambda: 1_000.0, lambda: 0.0))
    with second.begin() as transaction:
        assert transaction.now == 2_000.0
    second.close()
