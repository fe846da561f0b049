"""Contextual embeddings: a pretrained encoder that stays as it is, beside the vectors of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from lacuna.train.layers.tensor_batch import TensorBatch
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.tokens import Ints, padded
from lacuna.train.papers.word_pieces import NO_PIECE, PieceTable

WINDOW = 510
"""Pieces that are read at once, without the first and the last; nothing is seen across windows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderInputs(TensorBatch):
    """Texts as windows of pieces; a window that several texts share stands there once."""

    ids: Tensor
    """[windows, pieces]"""
    mask: Tensor
    places: Tensor
    """[texts, words]: where the first piece of each word is, counted through all windows."""


def encoder_inputs(texts: Sequence[Ints], table: PieceTable) -> EncoderInputs:
    """Texts, given as numbers of words, as an encoder reads them."""
    rows: dict[bytes, int] = {}
    windows: list[Ints] = []
    found: list[tuple[Ints, Ints]] = []
    for text in texts:
        own = table.pieces[text]  # [words, pieces]
        real = own != NO_PIECE
        flat, counts = own[real], real.sum(1)
        numbers = []
        for at in range(0, len(flat), WINDOW):
            window = flat[at : at + WINDOW]
            number = rows.setdefault(window.tobytes(), len(windows))
            if number == len(windows):
                windows.append(np.array([table.begin, *window, table.separator], np.int32))
            numbers.append(number)
        found.append((np.array(numbers, np.int32), np.cumsum(counts) - counts))
    ids = padded(windows, table.pad)
    width = ids.shape[1]
    places = [numbers[at // WINDOW] * width + 1 + at % WINDOW for numbers, at in found]
    mask = np.arange(width)[None] < np.array([len(window) for window in windows])[:, None]
    return EncoderInputs(
        ids=torch.from_numpy(ids).long(),
        mask=torch.from_numpy(mask),
        places=torch.from_numpy(padded(places, 0)).long(),
    )


class ContextualWords(nn.Module):
    """A learned mix of an encoder's layers at the first piece of each word, as ELMo's is."""

    def __init__(self, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(False)
        self.size = encoder.size
        self._layers = int(encoder.body.config.num_hidden_layers) + 1
        self.mix = nn.Parameter(torch.zeros(self._layers))
        self.scale = nn.Parameter(torch.ones(()))

    def train(self, mode: bool = True) -> ContextualWords:
        """What is above it learns; the encoder itself reads as it always does."""
        super().train(mode)
        self.encoder.eval()
        return self

    def forward(self, inputs: EncoderInputs) -> Tensor:
        """[texts, words, size]"""
        with torch.no_grad():
            layers = self.encoder.layers(inputs.ids, inputs.mask, self._layers)
        shares = self.mix.softmax(0)
        mixed = torch.stack([share * layer for share, layer in zip(shares, layers, strict=True)])
        words: Tensor = mixed.sum(0).flatten(0, 1)[inputs.places]
        return self.scale * words
