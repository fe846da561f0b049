"""A question before texts as word pieces, and several of them as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lacuna.models.tokenizer import TokenText
from lacuna.train.layers.tensor_batch import TensorBatch
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.tokens import Ints, padded

LONGEST_QUESTION = 128
"""Word pieces of a question; hardly any is as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceExample:
    """An input of an encoder."""

    ids: Ints
    group: str
    """What is held out together: questions about one text."""

    @property
    def length(self) -> int:
        """How many pieces there are."""
        return len(self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceBatch(TensorBatch):
    """Inputs of an encoder, both [texts, pieces]."""

    ids: Tensor
    mask: Tensor


def piece_part(examples: Sequence[PieceExample], pad: int) -> dict[str, Tensor]:
    """What every batch has, by the names of ``PieceBatch``."""
    ids = padded([example.ids for example in examples], pad).astype(np.int64)
    lengths = np.array([len(example.ids) for example in examples])
    mask = np.arange(ids.shape[1])[None, :] < lengths[:, None]
    return {"ids": torch.from_numpy(ids), "mask": torch.from_numpy(mask)}


@dataclass(frozen=True, slots=True)
class PieceInput:
    """[CLS] question [SEP] text, text, … [SEP], cut to a length; texts follow without a mark.

    ``firsts`` is where each text begins, ``kept`` how many of its pieces there is room for.
    """

    ids: Ints
    question: TokenText
    texts: tuple[TokenText, ...]
    firsts: tuple[int, ...]
    kept: tuple[int, ...]

    def cover(self, text: int, start: int, end: int) -> tuple[int, int] | None:
        """The first and last piece of a stretch of a text; None where it does not fit in whole."""
        own = self.texts[text].cover(start, end)
        if own is None or own[1] >= self.kept[text]:
            return None
        return self.firsts[text] + own[0], self.firsts[text] + own[1]

    def cover_question(self, start: int, end: int) -> tuple[int, int] | None:
        """The same for a stretch of the question."""
        own = self.question.cover(start, end)
        return None if own is None else (1 + own[0], 1 + own[1])


def piece_input(
    question: str, texts: Sequence[str], tokenizer: PieceTokenizer, longest: int
) -> PieceInput:
    """A question and texts as one input of at most ``longest`` pieces."""
    whole = tokenizer.encode(question)
    asked = TokenText(*(part[: min(LONGEST_QUESTION, longest // 2)] for part in whole))
    ids = [tokenizer.begin, *asked.ids.tolist(), tokenizer.separator]
    encoded = tuple(map(tokenizer.encode, texts))
    firsts, kept = [], []
    for text in encoded:
        room = max(0, longest - len(ids) - 1)
        firsts.append(len(ids))
        kept.append(min(room, len(text.ids)))
        ids += text.ids[:room].tolist()
    if texts:
        ids.append(tokenizer.separator)
    return PieceInput(np.array(ids, np.int32), asked, encoded, tuple(firsts), tuple(kept))
