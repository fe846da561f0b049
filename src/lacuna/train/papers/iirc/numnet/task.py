"""IIRC's reader, learned and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.iirc.numnet.decode import Decoder
from lacuna.train.papers.iirc.numnet.example import NumNetBatch, NumNetExample, numnet_batch
from lacuna.train.papers.iirc.numnet.labels import numnet_example
from lacuna.train.papers.iirc.numnet.network import NumNet
from lacuna.train.papers.iirc.reading_questions import context_questions, reading_files
from lacuna.train.papers.iirc.recipes import NumNetRecipe
from lacuna.types import Prediction, Question


@dataclass(frozen=True, slots=True)
class NumNetTask:
    """NumNet+ by a recipe."""

    recipe: NumNetRecipe

    def files(self, data: Path) -> list[Path]:
        return reading_files(data, self.recipe.stages)

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[NumNetExample]]:
        for question in context_questions(data, self.recipe.stages, gold=True):
            example = self.example(question, tokenizer)
            yield [example] if example.is_labelled else []

    def example(self, question: Question, tokenizer: PieceTokenizer) -> NumNetExample:
        """A question with its texts, and its labels if it has any."""
        return numnet_example(question, tokenizer, self.recipe.longest)

    def network(self, encoder: PieceEncoder) -> NumNet:
        return NumNet(self.recipe, encoder)

    def batch(self, examples: Sequence[NumNetExample], pad: int) -> NumNetBatch:
        return numnet_batch(examples, pad)

    def predictions(
        self,
        network: NumNet,
        batch: NumNetBatch,
        questions: Sequence[Question],
        examples: Sequence[NumNetExample],
    ) -> list[Prediction]:
        """One prediction for each question of a batch."""
        decoder = Decoder(network(batch), batch)
        return [decoder.prediction(row, example.read) for row, example in enumerate(examples)]
