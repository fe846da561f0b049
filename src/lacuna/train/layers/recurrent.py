"""A recurrent layer that reads texts of different lengths in both directions."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lacuna.train.layers.dropout import same_dropout
from lacuna.train.layers.tensor_batch import TensorBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class TextParts(TensorBatch):
    """Parts of texts that are read beside each other instead of one behind the other."""

    words: Tensor
    """[parts, words a part]: which word of all texts, counted through, stands there."""
    places: Tensor
    """[texts, words]: where each word stands among those of all parts, counted through."""
    part_lengths: Tensor
    """[parts]"""


class BiGru(nn.Module):
    """Variational dropout, then a GRU each way; the first half of a state has read what comes
    before a word, the second half what comes after it."""

    def __init__(self, input_size: int, direction_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.size = 2 * direction_size
        self.onward = nn.GRU(input_size, direction_size, batch_first=True)
        self.back = nn.GRU(input_size, direction_size, batch_first=True)

    def forward(self, texts: Tensor, lengths: Tensor | TextParts) -> Tensor:
        """[texts, words, input size] to [texts, words, size], zeros behind the end of a text.

        With parts instead of lengths, each part is read as if it stood alone.
        """
        texts = same_dropout(texts, self.dropout, training=self.training)
        if isinstance(lengths, Tensor):
            return self._read(texts, lengths)
        alone = rows_at(texts.flatten(0, 1), lengths.words)  # [parts, words a part, input size]
        read = self._read(alone, lengths.part_lengths)
        return rows_at(read.flatten(0, 1), lengths.places)

    def _read(self, texts: Tensor, lengths: Tensor) -> Tensor:
        # Packed sequences would be copied step by step, which takes a GPU far longer than reading.
        # Each way the padding comes last, where it changes nothing.
        count, words, _ = texts.shape
        at = torch.arange(words, device=lengths.device)[None]
        real = at < lengths[:, None]  # [texts, words]
        turned = torch.where(real, lengths[:, None] - 1 - at, at)
        turned = turned + words * torch.arange(count, device=lengths.device)[:, None]
        turned, real = (each.to(texts.device, non_blocking=True) for each in (turned, real))
        before = self.onward(texts)[0]
        after = self.back(rows_at(texts.flatten(0, 1), turned))[0]
        states = torch.cat([before, rows_at(after.flatten(0, 1), turned)], 2)
        return states * real[:, :, None]


def rows_at(rows: Tensor, places: Tensor) -> Tensor:
    """[rows, size] at ``places`` of any shape, as another dimension of these.

    Indexing does the same; but learning through it is slow where a row is taken often.
    """
    return rows.index_select(0, places.flatten()).view(*places.shape, rows.shape[1])
