"""Reading ahead keeps the order, and loses nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.formats import isolation as ahead
from lacuna.corpus.formats.isolation import read_ahead
from lacuna.errors import LacunaError


class Work:
    """Knows what was done with it."""

    going_on = 0

    def __init__(self, item: int) -> None:
        self.item = item
        self.done = self.left = False
        Work.going_on += 1

    def finish(self) -> None:
        Work.going_on -= 1
        self.done = True

    def abandon(self) -> None:
        Work.going_on -= 1
        self.left = True


@given(st.lists(st.integers(), max_size=12), st.integers(1, 4))
def test_order_and_number(items: list[int], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ahead, "FILES_AHEAD", at_once)
        seen = []
        for item, work in read_ahead(items, Work):
            assert work.done
            assert work.item == item
            assert Work.going_on <= at_once
            seen.append(item)
    assert seen == items
    assert Work.going_on == 0


@pytest.mark.parametrize("at_once", [1, 3])
def test_what_stands_before_an_error_is_given(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "FILES_AHEAD", at_once)

    def damaged() -> Iterator[int]:
        yield from (1, 2, 3)
        raise LacunaError("it ends here")

    seen: list[int] = []
    with pytest.raises(LacunaError, match="it ends here"):
        seen.extend(item for item, _ in read_ahead(damaged(), Work))
    assert seen == [1, 2, 3]


def test_what_nobody_waits_for_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "FILES_AHEAD", 3)
    begun: list[Work] = []

    def begin(item: int) -> Work:
        begun.append(Work(item))
        return begun[-1]

    reading = read_ahead(range(10), begin)
    next(reading)
    reading.close()
    assert all(work.done or work.left for work in begun)
