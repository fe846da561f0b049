"""What both training loops share: the learning rate, and when to stop."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from lacuna_lab.train.checkpoint import EarlyStopping, RunState, is_late, warmup_decay


@pytest.mark.parametrize(("steps", "warmup"), [(1, 0.06), (3, 0.0), (10, 1.0), (100, 0.06)])
def test_the_rate_rises_to_one_and_falls_to_zero(steps: int, warmup: float) -> None:
    factor = warmup_decay(steps, warmup)
    factors = [factor(step) for step in range(steps + 1)]
    top = factors.index(1.0)
    assert factors[: top + 1] == sorted(factors[: top + 1])
    assert factors[top:] == sorted(factors[top:], reverse=True)
    assert 0 < factors[0] <= 1
    assert factors[-1] == 0.0


def test_patience_counts_checks_since_the_best() -> None:
    stopping, state = EarlyStopping(Path("best.pt"), patience=2), RunState()
    over = []
    for loss in (3.0, 2.0, 2.5, 1.0, 1.5, 1.0):
        stopping.record(state, loss, better=loss < state.best)
        over.append(stopping.is_over(state))
    assert over == [False, False, False, False, False, True]
    assert state.best == 1.0
    assert not EarlyStopping(Path("best.pt"), patience=0).is_over(state)


def test_the_best_weights_come_back(tmp_path: Path) -> None:
    stopping, layer = EarlyStopping(tmp_path / "best.pt", patience=1), torch.nn.Linear(2, 2)
    before = layer.weight.detach().clone()
    stopping.restore(layer)
    assert (layer.weight == before).all(), "nothing was saved yet"
    stopping.save(layer)
    with torch.no_grad():
        layer.weight.zero_()
    stopping.restore(layer)
    assert (layer.weight == before).all()


def test_a_time_in_the_past_is_late() -> None:
    assert is_late(0.0)
    assert not is_late(float("inf"))
