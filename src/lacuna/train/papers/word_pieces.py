"""The words of texts as a pretrained encoder knows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.train.papers.encoded.pieces import PieceTokenizer

MOST_PIECES = 8
"""Of a word; longer ones are cut."""
NO_PIECE = -1


class PieceTable(NamedTuple):
    """The pieces of each word of a table, [words, pieces], and the special ones."""

    pieces: NDArray[np.int32]
    begin: int
    separator: int
    pad: int


def piece_table(words: Sequence[str], tokenizer: PieceTokenizer) -> PieceTable:
    """The pieces of words, each taken by itself."""
    table = np.full((len(words), MOST_PIECES), NO_PIECE, np.int32)
    for row, word in enumerate(words):
        own = tokenizer.encode(word).ids[:MOST_PIECES]
        table[row, : len(own)] = own
    # What a tokenizer drops, such as a control character, still takes a place.
    table[table[:, 0] == NO_PIECE, 0] = tokenizer.separator
    return PieceTable(table, tokenizer.begin, tokenizer.separator, tokenizer.pad)
