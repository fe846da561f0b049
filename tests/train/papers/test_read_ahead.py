"""Items made in advance: the same ones, in order, errors included, and nothing goes on unasked."""

from __future__ import annotations

from collections.abc import Iterator
from threading import active_count

import pytest

pytest.importorskip("torch")

from lacuna_lab.papers.trainer import read_ahead


@pytest.mark.parametrize("count", [1, 3, 100])
def test_the_same_items_in_the_same_order(count: int) -> None:
    assert list(read_ahead(range(50), count)) == list(range(50))


def test_an_error_comes_after_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("no third")

    ahead = read_ahead(items(), 4)
    assert [next(ahead), next(ahead)] == [1, 2]
    with pytest.raises(ValueError, match="no third"):
        next(ahead)


def test_who_leaves_early_leaves_no_thread_behind() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            made.append(number)
            yield number

    before = active_count()
    ahead = read_ahead(items(), 2)
    assert next(ahead) == 0
    ahead.close()  # type: ignore[attr-defined]
    assert active_count() == before
    assert len(made) < 10
