"""Dear values are kept for longer."""

from __future__ import annotations

from itertools import count

from lacuna_collect.web.services import SHARE, KeptWhileCostly


def test_a_value_is_as_old_as_it_is_dear() -> None:
    now = 0.0
    made = count(1)

    def make() -> int:
        nonlocal now
        now += 2
        return next(made)

    value = KeptWhileCostly(make, lambda: now)
    assert [value(), value()] == [1, 1]
    now += 2 * SHARE
    assert [value(), value()] == [2, 2]


def test_what_costs_nothing_is_always_new() -> None:
    made = count(1)
    value = KeptWhileCostly(lambda: next(made), lambda: 0.0)
    assert [value(), value()] == [1, 2]
