"""What a word is to a network: its vector, and what a small RNN makes of its characters.

A batch has far fewer different words than words, so each is embedded once, and put wherever it
stands in a text.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lacuna.train.layers.recurrent import BiGru

CHARACTERS = 258
"""Padding, the first 256 characters of Unicode, and one number for all others."""
CHARACTERS_A_WORD = 16
"""Longer words are cut."""
CHARACTER_SIZE = 16


def character_numbers(word: str) -> list[int]:
    """A word as so many numbers, 0 behind its end.

    >>> character_numbers("ab")[:4], character_numbers("→")[0]
    ([98, 99, 0, 0], 257)
    """
    numbers = [min(ord(character), 256) + 1 for character in word[:CHARACTERS_A_WORD]]
    return numbers + [0] * (CHARACTERS_A_WORD - len(numbers))


def few_vectors(table: nn.Embedding, numbers: Tensor) -> Tensor:
    """Vectors of a small table. Learning it by looking up would be slow: each is used so often."""
    chosen = nn.functional.one_hot(numbers, table.num_embeddings)
    vectors: Tensor = chosen.to(table.weight.dtype) @ table.weight
    return vectors


class CharacterEncoder(nn.Module):
    """Reads each word letter by letter, in both directions; the last states stand for the word."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.characters = nn.Embedding(CHARACTERS, CHARACTER_SIZE, padding_idx=0)
        self.rnn = BiGru(CHARACTER_SIZE, size // 2, dropout=0.0)

    def forward(self, characters: Tensor) -> Tensor:
        """[words, characters] to [words, size]."""
        lengths = (characters > 0).sum(1).clamp(min=1)  # [words]
        states = self.rnn(few_vectors(self.characters, characters), lengths)
        onward, back = states.chunk(2, 2)  # [words, characters, size / 2] each
        last = torch.arange(len(characters), device=characters.device)
        return torch.cat([onward[last, lengths - 1], back[:, 0]], 1)


class WordEmbedding(nn.Module):
    """Word vectors, beside the character encoder's if there is one (``character_size`` above 0).

    Given vectors stay as they are; without any, they are learned (``learned``).
    """

    def __init__(self, vectors: Tensor, character_size: int, *, learned: bool) -> None:
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors, freeze=not learned, padding_idx=0)
        self.spelled = CharacterEncoder(character_size) if character_size else None
        self.size = vectors.shape[1] + character_size

    def forward(self, words: Tensor, characters: Tensor) -> Tensor:
        """Different words [words] and their characters [words, characters] to [words, size]."""
        parts = [self.vectors(words)]
        if self.spelled is not None:
            parts.append(self.spelled(characters))
        return torch.cat(parts, 1)
