"""A training run as it goes on: what it computes on, its checkpoints, when it ends."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from accelerate import Accelerator, PartialState
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes


def best_device() -> torch.device:
    """The GPU if there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def set_up_gpu() -> None:
    """Fast matrix products, and an attention that is not planned again for every batch."""
    torch.set_float32_matmul_precision("high")
    # cuDNN plans its attention anew for every shape of a batch, and no two batches are alike.
    torch.backends.cuda.enable_cudnn_sdp(False)


def this_process() -> PartialState:
    """This one of the processes that ``torchrun`` or ``accelerate launch`` started."""
    return PartialState(cpu=not torch.accelerator.is_available())


def in_main_process() -> bool:
    """Tell if this process, of several that train together, writes files and messages."""
    return bool(this_process().is_main_process)


def make_accelerator(precision: str) -> Accelerator:
    """Make the object that places network and data on devices and makes processes wait.

    Without a GPU accelerate must be told so, otherwise the processes do not know of each other.
    """
    return Accelerator(cpu=not torch.accelerator.is_available(), mixed_precision=precision)


CHECKPOINT, BEST = "checkpoint.pt", "best.pt"
"""The files of a run that goes on: its last state, and its best weights."""
RandomStates = list[Tensor]
"""The random states of one process: the CPU's and, if there is one, the GPU's."""


@dataclass(slots=True)
class RunState:
    """The progress of a run."""

    step: int = 0
    loss: float = math.nan
    best: float = math.inf
    """The lowest loss on held-out questions."""
    waited: int = 0
    """Checks since then."""


class Checkpoint:
    """A run's state in one file, which is replaced as a whole.

    ``run`` is all that decides the course of a run, so that no other run goes on from here.
    ``parts`` is what has a state: network, optimizer, schedule.
    """

    def __init__(self, path: Path, run: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
        self._path, self._run, self._parts = path, dict(run), parts

    def save(self, state: RunState, random: list[RandomStates]) -> None:
        """Write down the run as it is now, with the random states of each process."""
        saved = {
            "run": self._run,
            "parts": {name: part.state_dict() for name, part in self._parts.items()},
            "state": asdict(state),
            "random": random,
        }
        with replace_bytes(self._path) as out:
            torch.save(saved, out)

    def resume(self, process: int = 0) -> RunState:
        """Put a run, in this process, back to where it was; to its start if nothing is saved."""
        if not self._path.exists():
            return RunState()
        try:
            saved = torch.load(self._path, map_location="cpu", weights_only=True)
            self._check(saved["run"])
            for name, part in self._parts.items():
                part.load_state_dict(saved["parts"][name])
            restore_random(saved["random"][process])
            return RunState(**saved["state"])
        except (
            EOFError,
            KeyError,
            IndexError,
            RuntimeError,
            TypeError,
            UnpicklingError,
            ValueError,
        ) as error:
            raise self._foreign(str(error).splitlines()[0] if str(error) else "") from error

    def _check(self, run: Mapping[str, Any]) -> None:
        for name in sorted(self._run.keys() | run.keys()):
            ours, theirs = self._run.get(name), run.get(name)
            if ours != theirs:
                raise self._foreign(f"{name} was {theirs!r} there and is {ours!r} here")

    def _foreign(self, why: str) -> LacunaError:
        return LacunaError(
            f"{self._path} does not belong to this run ({why}). Choose another --out, or delete it "
            "to start again."
        )


def random_state() -> RandomStates:
    """The random states of this process, as they are now."""
    return [torch.get_rng_state(), *([torch.cuda.get_rng_state()] if _has_gpu() else [])]


def restore_random(states: RandomStates) -> None:
    """Go on with these random states."""
    torch.set_rng_state(states[0])
    if len(states) > 1 and _has_gpu():
        torch.cuda.set_rng_state(states[1])


def tidy(folder: Path) -> None:
    """Remove what only an unfinished run needs."""
    (folder / BEST).unlink(missing_ok=True)
    (folder / CHECKPOINT).unlink(missing_ok=True)


def _has_gpu() -> bool:
    return bool(torch.cuda.is_available())


Progress = Callable[[int], None]
"""Called with the number of steps that are done."""


class StopReason(StrEnum):
    """The reason why a run returned."""

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
    """Tell if ``time.monotonic`` has come to a time at which a run should stop."""
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
        """Tell if patience has run out."""
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
