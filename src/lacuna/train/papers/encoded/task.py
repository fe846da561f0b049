"""What a network over a pretrained encoder is to training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from torch import nn

from lacuna.train.papers.batch import PaperBatch
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.encoded.example import PieceExample
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.encoded.recipe import EncoderRecipe


class EncoderTask(Protocol):
    """Made with a recipe; examples and batches are those of its own network."""

    @property
    def recipe(self) -> EncoderRecipe:
        """What decides the run."""
        ...

    def files(self, data: Path) -> list[Path]:
        """The files and folders that it learns from; an error names what is missing."""
        ...

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[Sequence[PieceExample]]:
        """The examples to learn from, those of one question after the other; some have none."""
        ...

    def network(self, encoder: PieceEncoder) -> nn.Module:
        """A network before its first step; its ``loss`` takes a batch."""
        ...

    def batch(self, examples: Sequence[Any], pad: int) -> PaperBatch:
        """Several examples as tensors."""
        ...
