"""What a run calculates on: one CPU, one GPU, or several processes that train together."""

from __future__ import annotations

import torch
from accelerate import Accelerator, PartialState


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
    """Whether this process, of several that train together, writes files and messages."""
    return bool(this_process().is_main_process)


def make_accelerator(precision: str) -> Accelerator:
    """What places network and data on devices, and makes processes wait for each other.

    Without a GPU accelerate must be told so, otherwise the processes do not know of each other.
    """
    return Accelerator(cpu=not torch.accelerator.is_available(), mixed_precision=precision)
