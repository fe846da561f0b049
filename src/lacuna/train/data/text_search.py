"""Finding words in a text, and the texts that share rare words with a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lacuna.corpus.pages.sentences import sentence_spans
from lacuna.types import Span

WORD = re.compile(r"\w+")
BATCH = 256
COMMON = 0.1
"""Words in a larger share of the texts distinguish nothing, and cost most of the time."""


def find_text(text: str, where: str) -> str | None:
    """The text as it is written there, between word boundaries, or None.

    >>> find_text("the guardian", "It was The\\nGuardian.")
    'The\\nGuardian'
    """
    if not text:
        return None
    words = r"\s+".join(re.escape(word) for word in text.split())
    match = re.search(rf"(?<!\w){words}(?!\w)", where, re.IGNORECASE)
    return match and match.group()


@lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[Span, ...]:
    """The sentences of a text; cached, since many questions are about the same text."""
    return tuple(sentence_spans(text, [Span(0, len(text))]))


class SimilarTexts:
    """Cosine of TF-IDF between queries and a fixed list of texts.

    >>> SimilarTexts(["a ferry to Marrow", "the school in Ellery"]).best(["Which ferry?"], 1)[0]
    [0]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        words = [_words(text) for text in texts]
        self._column: dict[str, int] = {}
        for text in words:
            for word in text:
                self._column.setdefault(word, len(self._column))
        frequency = np.zeros(len(self._column))
        for text in words:
            for word in text:
                frequency[self._column[word]] += 1
        self._weight = np.log((1 + len(texts)) / (1 + frequency)) + 1
        self._weight[frequency > max(COMMON * len(texts), 10)] = 0
        # Columns are texts, so that a product walks only the texts that share a word.
        self._texts = self._rows(words).T.tocsr()

    def best(self, queries: Iterable[str], k: int) -> list[list[int]]:
        """The numbers of the k most similar texts for each query, best first.

        Texts that share no word with it are left out.
        """
        words = [_words(query) for query in queries]
        closest: list[list[int]] = []
        for start in range(0, len(words), BATCH):
            scores = (self._rows(words[start : start + BATCH]) @ self._texts).tocsr()
            closest.extend(_top(scores, k))
        return closest

    def _rows(self, words: Sequence[Counter[str]]) -> csr_matrix:
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for row, text in enumerate(words):
            counts = ((self._column.get(word, -1), n) for word, n in text.items())
            known = [(column, n) for column, n in counts if column >= 0 and self._weight[column]]
            weights = [(1 + math.log(n)) * self._weight[column] for column, n in known]
            length = math.sqrt(sum(weight**2 for weight in weights)) or 1.0
            rows.extend([row] * len(known))
            columns.extend(column for column, _ in known)
            values.extend(weight / length for weight in weights)
        shape = (len(words), len(self._column))
        return csr_matrix((np.array(values, np.float32), (rows, columns)), shape)


def _top(scores: csr_matrix, k: int) -> Iterator[list[int]]:
    for row in range(scores.shape[0]):
        part = slice(scores.indptr[row], scores.indptr[row + 1])
        columns: NDArray[np.int32] = scores.indices[part]
        values: NDArray[np.float32] = scores.data[part]
        if len(values) > k:
            chosen = np.argpartition(-values, k - 1)[:k]
            columns, values = columns[chosen], values[chosen]
        yield columns[np.lexsort((columns, -values))].tolist()


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.casefold()))
