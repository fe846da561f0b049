from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.mining.chance import pick, pick_index, shuffled


@settings(deadline=None)
@given(st.lists(st.integers()), st.integers())
def test_shuffling_keeps_every_item(items: list[int], seed: int) -> None:
    assert sorted(shuffled(Random(seed), items)) == sorted(items)
    assert shuffled(Random(seed), items) == shuffled(Random(seed), items)


def test_every_item_can_be_picked_and_about_as_often() -> None:
    random = Random(3)
    counts = [0] * 5
    for _ in range(5000):
        counts[pick(random, range(5))] += 1
    assert all(850 < count < 1150 for count in counts)


@settings(deadline=None)
@given(st.integers(1, 1 << 40), st.integers())
def test_an_index_is_inside(size: int, seed: int) -> None:
    assert 0 <= pick_index(Random(seed), size) < size


def test_the_numbers_behind_it_are_those_of_every_python_version() -> None:
    assert [pick_index(Random(0), 1000), pick_index(Random(7), 1000)] == [844, 323]
