"""Vectors of whole sentences: from the terms that come along, or from a pretrained encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from lacuna.corpus.text_index import Analyzer
from lacuna.models.registry import load_sentence_encoder
from lacuna.retrieve.hybrid import Floats, TermVectors, shipped_vectors

TERMS = "terms"
"""The encoder that comes along: the vectors of terms that the hybrid search ranks by."""


class SentenceEncoder(Protocol):
    """Texts as vectors of length 1, so that a product of two is their cosine."""

    def vectors(self, texts: Sequence[str]) -> Floats:
        """[texts, size]; a text that nothing is known of is all zeros."""
        ...


class TermSums:
    """A text is the sum of its terms, each with its weight.

    >>> asked, ship, stone = TermSums().vectors(["the ferry", "a ship sails", "a wall of stone"])
    >>> bool(asked @ ship > asked @ stone)
    True
    """

    def __init__(self, terms: TermVectors | None = None) -> None:
        self._terms = terms or shipped_vectors()
        self._analyzer = Analyzer()

    def vectors(self, texts: Sequence[str]) -> Floats:
        return unit_vectors(np.stack([self._sum(text) for text in texts]))

    def _sum(self, text: str) -> Floats:
        rows = self._terms.rows(self._analyzer.terms(text))
        summed: Floats = self._terms.weights(rows) @ self._terms.directions(rows)
        return summed


def unit_vectors(vectors: Floats) -> Floats:
    """Vectors of length 1 in the same directions; zeros stay zeros."""
    unit: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return unit


def open_sentence_encoder(name: str, threads: int | None = None) -> SentenceEncoder:
    """``terms``, or the folder or hub name of a pretrained encoder, which needs torch."""
    if name == TERMS:
        return TermSums()
    encoder: SentenceEncoder = load_sentence_encoder(name, threads)
    return encoder
