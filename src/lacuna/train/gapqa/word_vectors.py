"""Word vectors in GloVe's format, and rows of words for the BiLSTM."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.files.opening import open_text
from lacuna.models.gapqa.rows import Part, Row
from lacuna.text import words

PADDING, UNKNOWN = 0, 1
"""Word 0 pads, word 1 stands for those that have no vector, and for a text without words."""
FIRST_WORD = 2
WORD_ROWS = 2
"""Raised when rows of words change, so that older examples are made again."""


class Vocabulary:
    """Words and their numbers."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = list(known)
        self._numbers = {word: number for number, word in enumerate(known, FIRST_WORD)}

    def number(self, word: str) -> int:
        """The number of a word in lower case."""
        return self._numbers.get(word, UNKNOWN)

    def encode(self, text: str) -> list[int]:
        """The words of a text."""
        return [self.number(word) for word in words(text)] or [UNKNOWN]


class WordRows:
    """Rows of words, for an encoder that reads every text by itself."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._encode = vocabulary.encode

    def question_row(self, question: str, fact: str) -> Row:
        """The question and the fact."""
        return self._row((Part.QUESTION, question), (Part.FACT, fact))

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row:
        """The question, a choice, and the fact if there is one."""
        row = [(Part.QUESTION, question), (Part.CHOICE, choice)]
        return self._row(*row, *([] if fact is None else [(Part.FACT, fact)]))

    def knowledge_row(self, span: str, choice: str, line: str) -> Row:
        """The span, a choice, and a line of knowledge."""
        return self._row((Part.SPAN, span), (Part.CHOICE, choice), (Part.KNOWLEDGE, line))

    def _row(self, *texts: tuple[Part, str]) -> Row:
        return Row.joined([(part, self._encode(text)) for part, text in texts])


def read_vectors(path: Path) -> tuple[Vocabulary, NDArray[np.float32]]:
    """The words of a file and their vectors.

    Their mean is subtracted from each: it carries no meaning, and would make any two words alike.
    The first rows, of padding and of unknown words, are zeros.
    """
    known: list[str] = []
    vectors: list[NDArray[np.float32]] = []
    with open_text(path) as source:
        for number, line in enumerate(source.text, 1):
            word, _, rest = line.rstrip("\n").partition(" ")
            if number == 1 and rest.isdigit():
                continue  # word2vec's first line: how many there are, of which size
            try:
                vector = np.array(rest.split(" "), np.float32)
            except ValueError:
                raise _broken(path, number) from None
            if vectors and len(vector) != len(vectors[0]):
                raise _broken(path, number)
            known.append(word)
            vectors.append(vector)
    if not vectors:
        raise LacunaError(f"{path} has no vector of any word. Is it GloVe's file?")
    table = np.stack(vectors)
    own = np.zeros((FIRST_WORD, table.shape[1]), np.float32)
    return Vocabulary(known), np.concatenate([own, table - table.mean(0)])


def _broken(path: Path, line: int) -> LacunaError:
    return LacunaError(
        f"{path}, line {line}: expected a word and its numbers with single spaces between, as many "
        "as in the lines before. Give a file of word vectors in GloVe's format."
    )
