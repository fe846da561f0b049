"""Variational dropout."""

from __future__ import annotations

from torch import Tensor, nn, ones_like


def same_dropout(states: Tensor, rate: float, *, training: bool) -> Tensor:
    """Drop the same dimensions at every word of a text; states are [texts, words, size]."""
    if not training or not rate:
        return states
    return states * nn.functional.dropout(ones_like(states[:, :1]), rate)
