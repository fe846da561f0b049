"""What the recipes of all papers' networks have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import nn

from lacuna.errors import LacunaError
from lacuna.train.recipe import check_positive

POSITIVE = ("longest", "epochs", "batch", "learning_rate", "patience")
SHARES = ("dropout", "held_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecipe:
    """Everything that decides what a run learns."""

    name: str
    system: str
    """Which paper's network it is; `lacuna evaluate` knows it by the same name."""
    dropout: float = 0.2
    longest: int = 1000
    """Words of a context in training; what is behind them is not learned from."""
    at_most: int = 0
    """So many questions, the first ones; 0 means all."""
    seeds: tuple[int, ...] = (1,)
    epochs: int = 12
    batch: int = 32
    learning_rate: float = 1e-3
    held_out: float = 0.05
    """The share of training texts whose loss chooses the best epoch; never a dev file. Without
    any, the last epoch counts."""
    patience: int = 3
    """Epochs without a better one before a run stops."""

    def check(self, where: str) -> None:
        """Refuse values that make no sense."""
        check_positive(self, POSITIVE, where)
        for name in SHARES:
            if not 0 <= getattr(self, name) < 1:
                raise LacunaError(f"{where}: {name!r} must be from 0 to below 1.")
        if self.at_most < 0:
            raise LacunaError(f"{where}: 'at_most' must not be less than 0.")
        if not self.seeds:
            raise LacunaError(f"{where}: 'seeds' names none. Give one or more whole numbers.")

    def learned(self, network: nn.Module) -> list[dict[str, Any]]:
        """The weights that are learned, in groups that may have a rate of their own."""
        return [{"params": [weight for weight in network.parameters() if weight.requires_grad]}]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecipe(PaperRecipe):
    """A network that reads words, by their vectors and their letters."""

    vectors: str = ""
    """A file of word vectors in GloVe's format; without one, vectors are learned."""
    contextual: str = ""
    """A pretrained encoder, a folder or a name that the model hub knows, whose states stand beside
    the vectors and stay as they are: what ELMo is to BiDAF++."""
    begin: str = ""
    """The folder of a trained network of the same system to go on from; its words are kept."""
    vector_size: int = 100
    """Of vectors that are learned."""
    characters: bool = True
    """Whether words are also read letter by letter."""
    self_attention: bool = True
    hidden: int = 80
    """The size of each direction of every RNN."""

    def check(self, where: str) -> None:
        PaperRecipe.check(self, where)
        check_positive(self, ("vector_size", "hidden"), where)
