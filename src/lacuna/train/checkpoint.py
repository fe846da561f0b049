"""Everything a run needs to go on as if it had never stopped."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from torch import Tensor

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes

CHECKPOINT, BEST = "checkpoint.pt", "best.pt"
"""The files of a run that goes on: its last state, and its best weights."""
RandomStates = list[Tensor]
"""The random states of one process: the CPU's and, if there is one, the GPU's."""


@dataclass(slots=True)
class RunState:
    """How far a run has come."""

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
