"""Pointers: the loss of several right places, and the best span of a text."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from lacuna_lab.papers.layers import LOWEST, StackedPointer, best_spans, pointer_loss


def test_a_pointer_reads_the_one_before_it_and_points_where_it_may() -> None:
    torch.manual_seed(1)
    pointer = StackedPointer(4, 2, 3, 0.0)
    allowed = torch.tensor([[True, False, True]])
    states, before = torch.randn(1, 3, 4), torch.randn(1, 3, 2)
    read, scores = pointer(states, before, torch.tensor([3]), allowed)
    assert read.shape == (1, 3, 6)
    assert scores[0, 1] == LOWEST
    assert not torch.allclose(scores, pointer(states, -before, torch.tensor([3]), allowed)[1])


def test_any_right_place_will_do() -> None:
    scores = torch.tensor([[0.0, 0.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0]])
    gold = torch.tensor([[True, True, False, False], [False] * 4])
    assert float(pointer_loss(scores, gold)) == pytest.approx(math.log(2))
    assert float(pointer_loss(scores, torch.zeros_like(gold))) == 0.0


def test_the_best_span_is_short_enough_and_in_one_paragraph() -> None:
    start = torch.tensor([[5.0, 0.0, 4.0, 0.0, 0.0]])
    end = torch.tensor([[0.0, 0.0, 0.0, 0.0, 5.0]])
    one = torch.zeros(1, 5, dtype=torch.long)

    def best(paragraphs: object, longest: int) -> tuple[int, int]:
        first, last, likely = best_spans(start, end, paragraphs, longest)
        assert 0 < float(likely) < 1
        return int(first), int(last)

    assert best(one, 9) == (0, 4)
    assert best(one, 3) == (2, 4)
    # The paragraph's border is between 2 and 3.
    first, last = best(torch.tensor([[0, 0, 0, 1, 1]]), 9)
    assert (first <= 2) == (last <= 2)


def test_the_best_span_equals_the_one_found_by_trying_all() -> None:
    torch.manual_seed(3)
    start, end = torch.randn(4, 12), torch.randn(4, 12)
    paragraphs = torch.arange(12).div(5, rounding_mode="floor").expand(4, 12)
    first, last, _ = best_spans(start, end, paragraphs, 4)
    for row in range(4):
        tried = {
            (i, j): float(start[row, i] + end[row, j])
            for i in range(12)
            for j in range(i, min(12, i + 4))
            if paragraphs[row, i] == paragraphs[row, j]
        }
        assert (int(first[row]), int(last[row])) == max(tried, key=tried.__getitem__)
