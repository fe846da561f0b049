"""The terms that get vectors, and texts as numbers of such terms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.bm25_score import idf
from lacuna.train.terms.pairs import TermPair

Numbers = npt.NDArray[np.int64]
FEWEST = 3
"""Passages that must have a term for it to get a vector."""


@dataclass(frozen=True, slots=True)
class TermVocabulary:
    """Terms, the commonest first; of each the word it most often stands for, and its idf."""

    terms: list[str]
    words: list[str]
    idf: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NumberedPairs:
    """The pairs as numbers of terms; ``passage_of`` says which passage answers which question."""

    groups: list[str]
    questions: list[Numbers]
    passage_of: list[int]
    passages: list[Numbers]


def numbered(pairs: Sequence[TermPair], most: int) -> tuple[TermVocabulary, NumberedPairs]:
    """The ``most`` commonest terms of the passages, and the pairs written with them."""
    analyzer = Analyzer()
    texts = {pair.passage: 0 for pair in pairs}
    holding: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    tokens: list[list[str]] = []
    for number, text in enumerate(texts):
        texts[text] = number
        found = analyzer.tokens(text)
        tokens.append([token.term for token in found])
        holding.update(set(tokens[-1]))
        for token in found:
            written[token.term][text[token.start : token.end].lower()] += 1
    common = [
        (term, count)
        for term, count in sorted(holding.items(), key=lambda item: (-item[1], item[0]))
        if count >= FEWEST
    ][:most]
    terms = [term for term, _ in common]
    vocabulary = TermVocabulary(
        terms,
        [written[term].most_common(1)[0][0] for term in terms],
        idf(len(texts), np.array([count for _, count in common])).astype(np.float32),
    )
    place = {term: number for number, term in enumerate(terms)}

    def numbers(some: Iterable[str]) -> Numbers:
        return np.array([place[term] for term in some if term in place], np.int64)

    asked = [(pair, numbers(analyzer.terms(pair.question))) for pair in pairs]
    kept = [(pair, question) for pair, question in asked if len(question)]
    return vocabulary, NumberedPairs(
        [pair.group for pair, _ in kept],
        [question for _, question in kept],
        [texts[pair.passage] for pair, _ in kept],
        [numbers(some) for some in tokens],
    )
