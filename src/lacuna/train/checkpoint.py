"""Everything a run needs to go on as if it had never stopped."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes


@dataclass(slots=True)
class State:
    """How far a run has come."""

    step: int = 0
    loss: float = math.nan
    best: float = math.inf
    waited: int = 0


class Checkpoint:
    """One file, written beside the old one and renamed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def save(self, network: nn.Module, optimizer: Any, schedule: Any, state: State) -> None:
        """Keep the run as it is now."""
        kept = {
            "network": network.state_dict(),
            "optimizer": optimizer.state_dict(),
            "schedule": schedule.state_dict(),
            "state": asdict(state),
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        with replace_bytes(self._path) as out:
            torch.save(kept, out)

    def load(self, network: nn.Module, optimizer: Any, schedule: Any) -> State | None:
        """Put a run back to where it was; None where there is nothing kept."""
        if not self._path.exists():
            return None
        try:
            kept = torch.load(self._path, map_location="cpu", weights_only=True)
            network.load_state_dict(kept["network"])
            optimizer.load_state_dict(kept["optimizer"])
            schedule.load_state_dict(kept["schedule"])
            torch.set_rng_state(kept["random"])
            if kept["random_cuda"] and torch.cuda.is_available():
                torch.cuda.set_rng_state_all(kept["random_cuda"])
            return State(**kept["state"])
        except (KeyError, TypeError, ValueError, RuntimeError) as problem:
            raise LacunaError(
                f"{self._path} does not belong to this run ({problem}). Choose another --out, or "
                "delete it to begin anew."
            ) from problem
