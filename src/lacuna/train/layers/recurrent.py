"""A recurrent layer that reads texts of different lengths in both directions."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lacuna.train.layers.dropout import same_dropout


class BiGru(nn.Module):
    """Variational dropout, then a GRU each way; the first half of a state has read what comes
    before a word, the second half what comes after it."""

    def __init__(self, input_size: int, direction_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.size = 2 * direction_size
        self.rnn = nn.GRU(input_size, direction_size, bidirectional=True, batch_first=True)

    def forward(self, texts: Tensor, lengths: Tensor) -> Tensor:
        """[texts, words, input size] to [texts, words, size]; ``lengths`` are on the CPU."""
        texts = same_dropout(texts, self.dropout, training=self.training)
        packed = pack_padded_sequence(texts, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(
            self.rnn(packed)[0], batch_first=True, total_length=texts.shape[1]
        )
        return states
