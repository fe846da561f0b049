"""A question for NumNet+ with every way to its answer, and several of them as tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lacuna.train.papers.batch import NOWHERE
from lacuna.train.papers.encoded.example import PieceBatch, PieceExample, piece_part
from lacuna.train.papers.iirc.numnet.kinds import UNKNOWN
from lacuna.train.papers.iirc.numnet.reading import NumberedInput
from lacuna.train.papers.tokens import Ints, padded


@dataclass(frozen=True, slots=True, kw_only=True)
class NumNetExample(PieceExample):
    """Labels are empty, or unknown, for ways that do not give the answer."""

    read: NumberedInput
    spans: Ints
    """[spans, 2]: first and last pieces in texts, and in the question."""
    tags: Ints
    """[pieces] where the answer has several spans, else empty."""
    signs: Ints
    """[calculations, numbers of texts]: a number's place in SIGNS."""
    count: int
    binary: int
    none: bool

    @property
    def is_labelled(self) -> bool:
        """Whether there is any way to the answer."""
        found = len(self.spans) or len(self.tags) or len(self.signs)
        return bool(found) or self.none or max(self.count, self.binary) != UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class NumNetBatch(PieceBatch):
    """Questions with texts, numbers and labels. Lengths stay on the CPU."""

    piece_lengths: Tensor
    """[texts]"""
    parts: Tensor
    """[texts, pieces]: 0 for the question, then the texts; -1 for special pieces and padding."""
    number_places: Tensor
    """[texts, numbers]"""
    number_values: Tensor
    number_mask: Tensor
    asked_numbers: Tensor
    """[texts, numbers], True for numbers of the question."""
    spans: Tensor
    """[texts, spans, 2]"""
    span_mask: Tensor
    """[texts, spans]"""
    tags: Tensor
    """[texts, pieces]"""
    has_tags: Tensor
    """[texts]"""
    signs: Tensor
    """[texts, calculations, numbers]"""
    sign_mask: Tensor
    """[texts, calculations]"""
    counts: Tensor
    """[texts]"""
    binary: Tensor
    """[texts]"""
    none: Tensor
    """[texts]"""


def numnet_batch(examples: Sequence[NumNetExample], pad: int) -> NumNetBatch:
    """Several examples as tensors."""
    pieces = piece_part(examples, pad)
    texts, length = pieces["ids"].shape
    reads = [example.read for example in examples]
    numbers = max(len(read.number_places) for read in reads)
    added = [len(read.quantities) for read in reads]
    ways = _most(example.signs for example in examples)
    signs = np.zeros((texts, ways, numbers), np.int64)
    tags = np.zeros((texts, length), np.int64)
    for row, example in enumerate(examples):
        known, own = example.signs.shape
        signs[row, :known, :own] = example.signs
        tags[row, : len(example.tags)] = example.tags
    real = _filled([len(read.number_places) for read in reads], numbers)
    spans = np.zeros((texts, _most(example.spans for example in examples), 2), np.int64)
    for row, example in enumerate(examples):
        spans[row, : len(example.spans)] = example.spans
    arrays = {
        "piece_lengths": np.array([example.length for example in examples]),
        "parts": padded([read.parts for read in reads], NOWHERE),
        "number_places": padded([read.number_places for read in reads], 0).astype(np.int64),
        "number_values": padded([read.number_values for read in reads], 0),
        "number_mask": real,
        "asked_numbers": real & ~_filled(added, numbers),
        "spans": spans,
        "span_mask": _filled([len(example.spans) for example in examples], spans.shape[1]),
        "tags": tags,
        "has_tags": np.array([len(example.tags) > 0 for example in examples]),
        "signs": signs,
        "sign_mask": _filled([len(example.signs) for example in examples], signs.shape[1]),
        "counts": np.array([example.count for example in examples]),
        "binary": np.array([example.binary for example in examples]),
        "none": np.array([example.none for example in examples]),
    }
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return NumNetBatch(**pieces, **tensors)


def _most(rows: Iterable[Ints]) -> int:
    """The most of something that any example has, but at least one place for it."""
    return max(1, *map(len, rows))


def _filled(counts: Sequence[int], width: int) -> NDArray[np.bool_]:
    """[rows, width], True for the first so many of each row."""
    return np.arange(width)[None, :] < np.array(counts)[:, None]
