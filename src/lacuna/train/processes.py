"""Several processes that train together, as ``torchrun`` or ``accelerate launch`` start them."""

from __future__ import annotations

import torch
from accelerate import Accelerator, PartialState


def this_process() -> PartialState:
    """Which of the processes this is."""
    return PartialState(cpu=not torch.accelerator.is_available())


def make_accelerator(precision: str) -> Accelerator:
    """What places network and data, and makes the processes wait for each other.

    accelerate has to be told that there is only a CPU, else processes without a GPU do not know
    of each other.
    """
    return Accelerator(cpu=not torch.accelerator.is_available(), mixed_precision=precision)
