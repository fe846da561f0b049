"""Fused attention for MPNet, whose own keeps every attention matrix in memory."""

from __future__ import annotations

from types import MethodType
from typing import Any

import torch
from torch import Tensor


def quicken(encoder: Any) -> None:
    """Replace MPNet's attention by torch's fused one; other encoders stay as they are.

    The table of relative positions stays fixed, since the fused kernel gives it no gradient.
    """
    if getattr(encoder.config, "model_type", "") != "mpnet":
        return
    bias = _Bias()
    for module in encoder.modules():
        if type(module).__name__ == "MPNetSelfAttention":
            module.shared_bias = bias
            module.forward = MethodType(_attend, module)
        if type(module).__name__ == "MPNetEncoder":
            module.relative_attention_bias.requires_grad_(False)


class _Bias:
    """Relative positions and padding as one tensor, added up once for all layers."""

    def __init__(self) -> None:
        self._of: tuple[Tensor | None, Tensor | None] = (None, None)
        self._sum: Tensor | None = None

    def of(self, position: Tensor | None, mask: Tensor | None, like: Tensor) -> Tensor | None:
        if torch.compiler.is_compiling() and position is not None and mask is not None:
            return (position + mask).to(like.dtype)  # the compiler keeps it for all layers itself
        if position is None or mask is None:
            only = mask if position is None else position
            return None if only is None else only.to(like.dtype)
        if self._of[0] is not position or self._of[1] is not mask or self._sum is None:
            self._of, self._sum = (position, mask), (position + mask).to(like.dtype)
        return self._sum


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
    mixed = torch.nn.functional.scaled_dot_product_attention(
        q,
        k,
        v,
        attn_mask=self.shared_bias.of(position_bias, attention_mask, q),
        dropout_p=self.dropout.p if self.training else 0.0,
    )
    return (self.o(mixed.transpose(1, 2).reshape(batch, tokens, size)),)
