"""Two encoders under the same heads: a transformer over whole rows, and the paper's BiLSTM.

The transformer reads a row's texts together. The BiLSTM reads each text of a row by itself, as in
the paper: texts are cut out of the rows, encoded, and put back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lacuna.models.gapqa.rows import Part
from lacuna.models.reader.heads import Columns
from lacuna.train.layers.dropout import same_dropout
from lacuna.train.network import Network

DIRECTION_SIZE = 100
VARIATIONAL_DROPOUT = 0.2


class RowEncoder(Protocol):
    """States for every token of some rows."""

    size: int
    scaled: bool
    blocks: int
    """Blocks of similar length into which a batch's knowledge is cut, to pad little."""

    def __call__(self, ids: Tensor, parts: Tensor) -> Tensor: ...

    def parameters(self) -> Iterator[nn.Parameter]: ...

    def span_scores(self, states: Tensor) -> Tensor | None:
        """Scores of first and last tokens, [rows, tokens, 2], if it finds spans."""
        ...


class TransformerRows(nn.Module):
    """The reader's own network: its states, and its scores for where a span begins and ends."""

    scaled = True
    blocks = 3

    def __init__(self, reader: Network) -> None:
        super().__init__()
        self.reader = reader
        self.size = int(reader.encoder.config.hidden_size)

    def forward(self, ids: Tensor, parts: Tensor) -> Tensor:
        mask = (parts > Part.PADDING).long()
        return self.reader.dropout(self.reader.states(ids, torch.zeros_like(ids), mask))

    def span_scores(self, states: Tensor) -> Tensor:
        """The reader's start and end columns."""
        return self.reader.per_token(states)[:, :, Columns.START : Columns.END + 1]


class BiLstmRows(nn.Module):
    """Fixed word vectors, and one BiLSTM for all texts; word 0 is padding."""

    scaled = False
    blocks = 1  # it does not read what pads a row
    size = 2 * DIRECTION_SIZE

    def __init__(self, vectors: Tensor) -> None:
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors, freeze=True, padding_idx=0)
        self.lstm = nn.LSTM(vectors.shape[1], DIRECTION_SIZE, bidirectional=True, batch_first=True)

    def forward(self, ids: Tensor, parts: Tensor) -> Tensor:
        places, lengths = texts_of(parts)  # [texts, longest], [texts]
        flat = ids.reshape(-1)
        inside = places >= 0
        words = self.vectors(flat[places.clamp(min=0)] * inside)
        words = same_dropout(words, VARIATIONAL_DROPOUT, training=self.training)
        packed = pack_padded_sequence(words, lengths.cpu(), batch_first=True, enforce_sorted=False)
        encoded, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        encoded = same_dropout(encoded, VARIATIONAL_DROPOUT, training=self.training)
        states = encoded.new_zeros(flat.shape[0], self.size)
        states = states.index_put((places[inside],), encoded[inside])
        return states.reshape(*ids.shape, self.size)

    def span_scores(self, states: Tensor) -> None:
        """None: a question and a fact that are read separately do not show where the span is."""


def texts_of(parts: Tensor) -> tuple[Tensor, Tensor]:
    """Where the texts of rows are: positions in the flattened rows, -1 after a text's end.

    A text is a run of tokens of one part.
    """
    rows, tokens = parts.shape
    before = torch.cat([torch.zeros_like(parts[:, :1]), parts[:, :-1]], 1)
    begins = ((parts != before) & (parts > Part.PADDING)).reshape(-1)
    number = begins.cumsum(0) - 1
    inside = (parts > Part.PADDING).reshape(-1)
    place = torch.arange(rows * tokens, device=parts.device)
    starts = place[begins]
    own, within = number[inside], place[inside] - starts[number[inside]]
    lengths = torch.bincount(own, minlength=len(starts))
    texts = torch.full((len(starts), int(lengths.max())), -1, device=parts.device)
    texts[own, within] = place[inside]
    return texts, lengths
