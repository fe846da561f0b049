"""What each paper's network is to training and reading: questions, examples, answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor, nn

from lacuna.train.papers.batch import PaperBatch, PaperExample
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.recipe import WordRecipe
from lacuna.train.papers.tokens import TokenArrays, TokenTable
from lacuna.types import Prediction, Question


class PaperTask(Protocol):
    """Made with a recipe; examples and batches are those of its own network."""

    @property
    def recipe(self) -> WordRecipe:
        """What decides the run."""
        ...

    def files(self, data: Path) -> list[Path]:
        """The files of a data folder that it learns from."""
        ...

    def questions(self, data: Path) -> Iterator[Question]:
        """The questions to learn from, in the order of the files."""
        ...

    def example(self, question: Question, table: TokenTable, longest: int) -> Any:
        """A question, with its labels if it has any; at most ``longest`` words of its context."""
        ...

    def trainable(self, question: Question, table: TokenTable) -> PaperExample | None:
        """An example to learn from; None where there is nothing to learn."""
        ...

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> nn.Module:
        """A network before its first step; its ``loss`` takes a batch.

        ``encoder`` gives contextual embeddings, if the recipe names one.
        """
        ...

    def batch(self, examples: Sequence[Any], tokens: TokenArrays) -> PaperBatch:
        """Several examples as tensors."""
        ...

    def predictions(
        self, network: Any, batch: Any, questions: Sequence[Question], examples: Sequence[Any]
    ) -> list[Prediction]:
        """What a network says of the questions of a batch."""
        ...
