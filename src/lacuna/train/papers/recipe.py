"""What the recipes of all papers' networks have in common."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.errors import LacunaError
from lacuna.train.recipe import check_positive

POSITIVE = ("vector_size", "hidden", "longest", "epochs", "batch", "learning_rate", "patience")
SHARES = ("dropout", "held_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecipe:
    """Everything that decides what a run learns."""

    name: str
    system: str
    """Which paper's network it is; `lacuna evaluate` knows it by the same name."""
    vectors: str = ""
    """A file of word vectors in GloVe's format; without one, vectors are learned."""
    begin: str = ""
    """The folder of a trained network of the same system to go on from; its words are kept."""
    vector_size: int = 100
    """Of vectors that are learned."""
    characters: bool = True
    """Whether words are also read letter by letter."""
    self_attention: bool = True
    hidden: int = 80
    """The size of each direction of every RNN."""
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
