"""The link model, learned: from IIRC's questions to examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lacuna.train.data.data_folder import TRAIN, read
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.iirc.links.example import (
    LinkBatch,
    LinkExample,
    link_batch,
    link_example,
    with_links,
)
from lacuna.train.papers.iirc.links.network import LinkNetwork
from lacuna.train.papers.iirc.recipes import LinkRecipe

FILE = TRAIN["iirc"]


@dataclass(frozen=True, slots=True)
class LinkTask:
    """Links by a recipe."""

    recipe: LinkRecipe

    def files(self, data: Path) -> list[Path]:
        return [FILE.find(data)]

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[LinkExample]]:
        for question in with_links(read(FILE, data)):
            made = question and link_example(question, tokenizer, self.recipe.longest)
            yield [made] if made else []

    def network(self, encoder: PieceEncoder) -> LinkNetwork:
        return LinkNetwork(self.recipe, encoder)

    def batch(self, examples: Sequence[LinkExample], pad: int) -> LinkBatch:
        return link_batch(examples, pad)
