"""How torch is to calculate on a GPU."""

from __future__ import annotations

import torch


def set_up_gpu() -> None:
    """Quick products of matrices, and an attention that is not planned anew at each step."""
    torch.set_float32_matmul_precision("high")
    # cuDNN plans its attention anew for every shape of a batch, and no two batches are alike.
    torch.backends.cuda.enable_cudnn_sdp(False)
