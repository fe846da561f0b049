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

Random = list[Tensor]
"""The states of one process's random numbers: the processor's and, if there is one, the GPU's."""


@dataclass(slots=True)
class State:
    """How far a run has come."""

    step: int = 0
    loss: float = math.nan
    best: float = math.inf
    waited: int = 0


class Checkpoint:
    """One file, written beside the old one and renamed.

    ``run`` says what decides the course of a run, so that another one does not go on from here.
    ``parts`` are what has a state: network, optimizer, schedule.
    """

    def __init__(self, path: Path, run: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
        self._path, self._run, self._parts = path, dict(run), parts

    def save(self, state: State, random: list[Random]) -> None:
        """Keep the run as it is now, with the random numbers of each process."""
        kept = {
            "run": self._run,
            "parts": {name: part.state_dict() for name, part in self._parts.items()},
            "state": asdict(state),
            "random": random,
        }
        with replace_bytes(self._path) as out:
            torch.save(kept, out)

    def load(self) -> tuple[State, list[Random]] | None:
        """Put a run back to where it was; None where there is nothing kept."""
        if not self._path.exists():
            return None
        try:
            kept = torch.load(self._path, map_location="cpu", weights_only=True)
            self._check(kept["run"])
            for name, part in self._parts.items():
                part.load_state_dict(kept["parts"][name])
            return State(**kept["state"]), kept["random"]
        except (EOFError, KeyError, RuntimeError, TypeError, UnpicklingError, ValueError) as error:
            raise self._foreign(str(error).splitlines()[0] if str(error) else "") from error

    def _check(self, run: Mapping[str, Any]) -> None:
        for name in sorted(self._run.keys() | run.keys()):
            ours, theirs = self._run.get(name), run.get(name)
            if ours != theirs:
                raise self._foreign(f"{name} was {theirs!r} there and is {ours!r} here")

    def _foreign(self, why: str) -> LacunaError:
        return LacunaError(
            f"{self._path} does not belong to this run ({why}). Choose another --out, or delete it "
            "to begin anew."
        )


def random_state() -> Random:
    """The random numbers of this process, as they are now."""
    return [torch.get_rng_state(), *([torch.cuda.get_rng_state()] if _has_gpu() else [])]


def restore_random(states: Random) -> None:
    """Go on with these random numbers."""
    torch.set_rng_state(states[0])
    if len(states) > 1 and _has_gpu():
        torch.cuda.set_rng_state(states[1])


def _has_gpu() -> bool:
    return bool(torch.cuda.is_available())
