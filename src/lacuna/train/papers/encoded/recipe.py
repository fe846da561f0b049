"""What recipes of networks over a pretrained encoder have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import nn

from lacuna.train.papers.recipe import PaperRecipe
from lacuna.train.recipe import check_positive


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderRecipe(PaperRecipe):
    """``learning_rate`` is the encoder's."""

    encoder: str = ""
    """A folder, or a name on the model hub; ``--encoder`` gives another."""
    head_rate: float = 5e-4
    """The learning rate of all that is not the encoder."""
    dropout: float = 0.1
    longest: int = 512
    """Word pieces of an input; what is behind them is not read."""
    epochs: int = 4
    batch: int = 16
    learning_rate: float = 5e-5

    def check(self, where: str) -> None:
        PaperRecipe.check(self, where)
        check_positive(self, ("head_rate",), where)

    def learned(self, network: nn.Module) -> list[dict[str, Any]]:
        """The encoder's weights, and those above it with a rate of their own."""
        encoder: list[Any] = []
        heads: list[Any] = []
        for name, weight in network.named_parameters():
            if not weight.requires_grad:
                continue
            (encoder if name.startswith("encoder.") else heads).append(weight)
        return [{"params": encoder}, {"params": heads, "lr": self.head_rate}]
