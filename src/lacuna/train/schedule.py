"""How a run goes on and ends, whatever it trains: warm-up and decay, early stopping, time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import torch
from torch import nn

from lacuna.files.writing import replace_bytes
from lacuna.train.checkpoint import RunState

Progress = Callable[[int], None]
"""Called with the number of steps that are done."""


class StopReason(StrEnum):
    """Why a run returned."""

    DONE = "done"
    EARLY = "stopped early"
    TIME = "stopped in time"


def warmup_decay(steps: int, warmup: float) -> Callable[[int], float]:
    """The factor of the learning rate at each step: linearly up, then linearly down to zero.

    ``warmup`` is the share of the steps in which it rises.

    >>> [round(warmup_decay(10, 0.2)(step), 2) for step in (0, 1, 2, 6, 10)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    warm = max(1, round(steps * warmup))

    def factor(step: int) -> float:
        if step < warm:
            return (step + 1) / warm
        return max(0.0, (steps - step) / max(1, steps - warm))

    return factor


def is_late(until: float) -> bool:
    """Whether ``time.monotonic`` has come to a time at which a run should stop."""
    return time.monotonic() > until


@dataclass(frozen=True, slots=True)
class EarlyStopping:
    """Ends a run that gets no better, and keeps the best weights in a file.

    ``patience`` is the number of checks without a better loss after which a run ends; 0 never ends
    it.
    """

    path: Path
    patience: int

    def is_over(self, state: RunState) -> bool:
        """Whether patience has run out."""
        return 0 < self.patience <= state.waited

    def record(self, state: RunState, loss: float, *, better: bool) -> None:
        """Note the outcome of a check."""
        state.best, state.waited = (loss, 0) if better else (state.best, state.waited + 1)

    def save(self, network: nn.Module) -> None:
        """Keep these weights as the best."""
        with replace_bytes(self.path) as out:
            torch.save(network.state_dict(), out)

    def restore(self, network: nn.Module) -> None:
        """Go back to the best weights, if any were kept."""
        if self.path.exists():
            network.load_state_dict(torch.load(self.path, map_location="cpu", weights_only=True))
