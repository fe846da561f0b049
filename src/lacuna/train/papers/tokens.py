"""Texts as numbers of words, with the place of each word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.train.gapqa.word_vectors import Vocabulary
from lacuna.train.layers.word_embedding import character_numbers
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.word_pieces import PieceTable, piece_table

Ints = NDArray[np.int32]
TOKEN = re.compile(r"[^\W_]+|[^\s]")
SEEN_OFTEN = 2
"""Words that are seen less often get no vector of their own."""
RECENT = 20_000
"""Texts that are remembered: many questions are about the same ones."""


class Tokens(NamedTuple):
    """The words of a text: their numbers in a table [words], and their places [words, 2]."""

    numbers: Ints
    places: Ints


class TokenArrays(NamedTuple):
    """Each word of a table by its number in a vocabulary [words], and its characters."""

    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    pieces: PieceTable | None = None
    """What a pretrained encoder takes each for."""


class TokenTable:
    """The different words of some texts, as they are written, numbered as they come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counts: list[int] = []
        self._recent: dict[str, Tokens] = {}

    def number(self, word: str) -> int:
        """The number of a word."""
        number = self._numbers.setdefault(word, len(self._numbers))
        if number == len(self._counts):
            self._counts.append(0)
        self._counts[number] += 1
        return number

    def tokens(self, text: str) -> Tokens:
        """The words and marks of a text.

        >>> TokenTable().tokens("It is, is it?").numbers.tolist()
        [0, 1, 2, 1, 3, 4]
        """
        if (known := self._recent.get(text)) is not None:
            for number in known.numbers.tolist():
                self._counts[number] += 1
            return known
        matches = list(TOKEN.finditer(text))
        numbers = [self.number(match.group()) for match in matches]
        places = [match.span() for match in matches]
        if len(self._recent) == RECENT:
            self._recent.clear()
        tokens = Tokens(np.array(numbers, np.int32), np.array(places, np.int32).reshape(-1, 2))
        self._recent[text] = tokens
        return tokens

    def vocabulary(self) -> Vocabulary:
        """The words that were seen often enough to learn a vector for each, in lower case."""
        counts: dict[str, int] = {}
        for word, number in self._numbers.items():
            lower = word.lower()
            counts[lower] = counts.get(lower, 0) + self._counts[number]
        return Vocabulary([word for word, count in counts.items() if count >= SEEN_OFTEN])

    def arrays(
        self, vocabulary: Vocabulary, tokenizer: PieceTokenizer | None = None
    ) -> TokenArrays:
        """All words of the table, ready to be embedded."""
        words = [vocabulary.number(word.lower()) for word in self._numbers]
        characters = [character_numbers(word) for word in self._numbers]
        pieces = piece_table(list(self._numbers), tokenizer) if tokenizer else None
        return TokenArrays(np.array(words, np.int64), np.array(characters, np.int64), pieces)


def words_within(places: Ints, start: int, end: int) -> tuple[int, int] | None:
    """The first and last of the words at ``places`` [words, 2] that a stretch of text touches."""
    first = int(np.searchsorted(places[:, 1], start, side="right"))
    last = int(np.searchsorted(places[:, 0], end, side="left")) - 1
    return (first, last) if first <= last else None


def padded(rows: Sequence[NDArray[Any]], filling: int) -> NDArray[Any]:
    """Rows of different lengths as one array; each row may have further dimensions.

    >>> padded([np.array([1, 2]), np.array([3])], 0).tolist()
    [[1, 2], [3, 0]]
    """
    longest = max(len(row) for row in rows)
    whole = np.full((len(rows), longest, *rows[0].shape[1:]), filling, rows[0].dtype)
    for number, row in enumerate(rows):
        whole[number, : len(row)] = row
    return whole
