"""Against the worked examples of K. Krippendorff, Computing Krippendorff's Alpha-Reliability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.metrics.statistics import nominal_alpha


def units(*observers: str) -> list[list[str]]:
    """The labels of each unit; a dot is where an observer gave none."""
    return [[label for label in labels if label != "."] for labels in zip(*observers, strict=True)]


def test_two_observers_and_two_labels() -> None:
    """Section A."""
    assert nominal_alpha(units("0100000010", "1110010000")) == pytest.approx(0.095, abs=5e-4)


def test_two_observers_and_several_labels() -> None:
    """Section B."""
    assert nominal_alpha(units("aabbdcccedda", "babbbccceddd")) == pytest.approx(0.692, abs=5e-4)


def test_several_observers_and_missing_labels() -> None:
    """Section C; the last unit has one label, and does not count."""
    data = units("123321412...", "1233224125..", ".33323422513", "12332441251.")
    assert nominal_alpha(data) == pytest.approx(0.743, abs=5e-4)
    assert nominal_alpha(data[:-1]) == nominal_alpha(data)


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4)))
def test_it_is_at_most_one_and_that_only_without_disagreement(data: list[list[str]]) -> None:
    alpha = nominal_alpha(data)
    if alpha is None:
        assert len({label for labels in data if len(labels) > 1 for label in labels}) < 2
    else:
        assert alpha <= 1
        assert (alpha == 1) == all(len(set(labels)) == 1 for labels in data if len(labels) > 1)
