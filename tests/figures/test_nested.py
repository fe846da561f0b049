"""Boxes of a tree map fill their rectangle, each as large as its share."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna_lab.figures.charts import Branch, Sunburst
from lacuna_lab.figures.shapes import Box, boxes, draw_sunburst

SIZES = st.lists(st.floats(0.01, 100), min_size=1, max_size=30)


@given(SIZES, st.floats(0.1, 5), st.floats(0.1, 5))
def test_boxes_have_their_shares_of_the_area(
    sizes: list[float], width: float, height: float
) -> None:
    ordered = sorted(sizes, reverse=True)
    placed = boxes(ordered, Box(0, 0, width, height))
    assert len(placed) == len(ordered)
    for size, box in zip(ordered, placed, strict=True):
        assert box.width * box.height == pytest.approx(width * height * size / sum(sizes))
        assert -1e-9 <= box.left <= box.left + box.width <= width * (1 + 1e-9) + 1e-9
        assert -1e-9 <= box.bottom <= box.bottom + box.height <= height * (1 + 1e-9) + 1e-9


def test_boxes_do_not_cover_each_other() -> None:
    placed = boxes([6, 6, 4, 3, 2, 2, 1], Box(0, 0, 6, 4))
    for number, one in enumerate(placed):
        for other in placed[number + 1 :]:
            across = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
            down = min(one.bottom + one.height, other.bottom + other.height) - max(
                one.bottom, other.bottom
            )
            assert min(across, down) < 1e-9


def test_nothing_takes_no_place() -> None:
    assert boxes([], Box(0, 0, 1, 1)) == []


@pytest.mark.parametrize("share", [1.9, 2.1])
def test_labels_of_thin_sectors_keep_clear_of_each_other(share: float) -> None:
    names = tuple(Branch("typegy", share) for _ in range(int(100 / share)))
    figure = draw_sunburst(Sunburst("Types", names))
    figure.canvas.draw()
    (axes,) = figure.axes
    level = [text for text in axes.texts if min(text.get_rotation(), 360 - text.get_rotation()) < 9]
    boxes_of_texts = [text.get_window_extent() for text in level]
    right = sorted((box for box in boxes_of_texts if box.x0 > axes.bbox.width / 2), key=_bottom)
    assert len(right) > 1
    assert all(low.y1 <= high.y0 for low, high in pairwise(right))


def _bottom(box: Any) -> float:
    return float(box.y0)
