"""How often answers of about the same confidence are right."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.metrics.calibration import ReliabilityBin, reliability, reliability_svg

SHARES = st.floats(0, 1)


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=60))
def test_the_bins_hold_every_answer(answers: list[tuple[float, float]]) -> None:
    table = reliability([sure for sure, _ in answers], [score for _, score in answers])
    assert sum(one.answers for one in table) == len(answers)
    assert sum(one.right * one.answers for one in table) == pytest.approx(
        sum(score for _, score in answers)
    )
    means = [one.confidence for one in table]
    assert means == sorted(means)


def test_one_is_in_the_last_bin() -> None:
    assert reliability([1.0, 0.95], [1, 0]) == (ReliabilityBin(0.975, 0.5, 2),)


def test_no_answers_make_an_empty_table() -> None:
    assert reliability([], []) == ()


def test_the_picture_has_a_point_for_each_bin() -> None:
    svg = reliability_svg((ReliabilityBin(0.2, 0.1, 4), ReliabilityBin(0.9, 1.0, 16)), 'A & "B"')
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label") == 'A & "B"'
    points = root.findall("{*}circle")
    assert [point.findtext("{*}title") for point in points] == [
        "confidence 0.20: 10% of 4 right",
        "confidence 0.90: 100% of 16 right",
    ]
    assert [float(point.get("r", 0)) for point in points] == [5.5, 11.0]
    assert "prefers-color-scheme:dark" in svg


def test_the_picture_of_nothing_is_whole() -> None:
    ElementTree.fromstring(reliability_svg(()))
