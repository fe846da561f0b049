"""Tensors that go to a device together."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

B = TypeVar("B", bound="TensorBatch")


@dataclass(frozen=True, slots=True)
class TensorBatch:
    """Tensors of several examples. Lengths stay on the CPU: the RNNs want them there."""

    def to(self: B, device: torch.device) -> B:
        """The same on a device, but for the lengths."""
        moved: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Tensor) and not field.name.endswith("_lengths"):
                moved[field.name] = value.to(device, non_blocking=True)
            elif isinstance(value, TensorBatch):
                moved[field.name] = value.to(device)
        return replace(self, **moved)
