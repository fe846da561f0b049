"""The pretrained encoder below a network's heads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel

from lacuna.errors import LacunaError
from lacuna.models.model_folder import ENCODER
from lacuna.train.mpnet_attention import quicken


class PieceEncoder(nn.Module):
    """Reads word pieces; on a GPU in half precision."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body
        self.size = int(body.config.hidden_size)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[texts, pieces] to the last layer's states, [texts, pieces, size]."""
        return self.layers(ids, mask, 1)[0]

    def layers(self, ids: Tensor, mask: Tensor, count: int) -> list[Tensor]:
        """The states of the last layers, the very last one at the end of the list.

        An encoder with fewer layers repeats its first.
        """
        with torch.autocast("cuda", torch.bfloat16, enabled=ids.is_cuda):
            encoded = self.body(
                input_ids=ids, attention_mask=mask.long(), output_hidden_states=count > 1
            )
        if count == 1:
            return [encoded.last_hidden_state.float()]
        states = [layer.float() for layer in encoded.hidden_states[-count:]]
        return [states[0]] * (count - len(states)) + states

    def save(self, folder: Path) -> None:
        """Write its shape into the folder of a model."""
        self.body.config.save_pretrained(folder / ENCODER)


def pretrained_encoder(name: str) -> PieceEncoder:
    """A pretrained encoder, from a folder or from the model hub."""
    try:
        body = AutoModel.from_pretrained(name, add_pooling_layer=False, dtype=torch.float32)
    except (OSError, ValueError) as problem:
        raise LacunaError(
            f"{name} cannot be loaded as an encoder. Give a folder, or a name that the model hub "
            f"knows: --encoder DIR|NAME. (transformers says: {problem})"
        ) from problem
    quicken(body)
    return PieceEncoder(body)


def encoder_of_model(folder: Path) -> PieceEncoder:
    """An encoder of the shape that ``save`` wrote, before its weights are loaded."""
    config = AutoConfig.from_pretrained(folder / ENCODER)
    body = AutoModel.from_config(config, add_pooling_layer=False).float()
    quicken(body)
    return PieceEncoder(body)
