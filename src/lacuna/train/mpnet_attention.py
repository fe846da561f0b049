"""Fused attention for MPNet, whose own keeps every attention matrix in memory."""

from __future__ import annotations

from types import MethodType
from typing import Any

import torch
from torch import Tensor, nn


def quicken(encoder: nn.Module) -> None:
    """Replace MPNet's attention by torch's fused one; other encoders stay as they are.

    The table of relative positions is kept fixed, for the fused kernel gives it no gradient.
    """
    if getattr(encoder.config, "model_type", "") != "mpnet":
        return
    for module in encoder.modules():
        if type(module).__name__ == "MPNetSelfAttention":
            module.forward = MethodType(_attend, module)  # type: ignore[method-assign]
        if type(module).__name__ == "MPNetEncoder":
            module.relative_attention_bias.requires_grad_(False)  # type: ignore[operator, union-attr]


def _attend(
    self: Any,
    hidden_states: Tensor,
    attention_mask: Tensor | None = None,
    position_bias: Tensor | None = None,
    output_attentions: bool = False,
    **kwargs: Any,
) -> tuple[Tensor]:
    batch, tokens, size = hidden_states.shape
    shape = (batch, tokens, self.num_attention_heads, self.attention_head_size)
    q, k, v = (
        layer(hidden_states).view(shape).transpose(1, 2) for layer in (self.q, self.k, self.v)
    )  # [batch, heads, tokens, size of a head]
    bias = position_bias
    if attention_mask is not None:
        bias = attention_mask if bias is None else bias + attention_mask
    if bias is not None:
        bias = bias.to(q.dtype)
    mixed = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=bias, dropout_p=self.dropout.p if self.training else 0.0
    )
    return (self.o(mixed.transpose(1, 2).reshape(batch, tokens, size)),)
