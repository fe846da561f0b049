"""Examples of questions over a context, and several of them as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lacuna.train.papers.tokens import Ints, TokenArrays, padded

NOWHERE = -1
"""The paragraph of a word that no answer may contain, and of what pads a text."""
B = TypeVar("B", bound="TextBatch")


class PaperExample(Protocol):
    """What training needs to know of an example."""

    @property
    def context(self) -> Ints:
        """Its length is what examples are sorted by."""
        ...

    @property
    def group(self) -> str:
        """What is held out together."""
        ...


class PaperBatch(Protocol):
    """Several examples as tensors."""

    def to(self, device: torch.device) -> PaperBatch:
        """The same on a device."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TextExample:
    """A question over a context. Words are numbers in a table of tokens."""

    context: Ints
    places: Ints
    """Of each word of the context: its paragraph, and where it begins and ends there."""
    question: Ints
    starts: Ints
    """The first words of the answer, wherever it stands; empty where that is not known."""
    ends: Ints
    group: str
    """What is held out together: questions about one text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBatch:
    """Questions over contexts. Lengths stay on the CPU: the RNNs want them there."""

    words: Tensor
    """[different words], numbers of a vocabulary."""
    characters: Tensor
    """[different words, characters]"""
    context: Tensor
    """[texts, words], each a place in ``words``."""
    question: Tensor
    context_lengths: Tensor
    """[texts]"""
    question_lengths: Tensor
    context_mask: Tensor
    """[texts, words], True where there is a word."""
    question_mask: Tensor
    paragraphs: Tensor
    """[texts, words]; an answer stays within one."""
    starts: Tensor
    """[texts, words], True at the first words of an answer."""
    ends: Tensor

    def to(self: B, device: torch.device) -> B:
        """The same on a device, but for the lengths."""
        moved = {
            field.name: getattr(self, field.name).to(device, non_blocking=True)
            for field in fields(self)
            if not field.name.endswith("_lengths")
        }
        return replace(self, **moved)


def text_part(examples: Sequence[TextExample], tokens: TokenArrays) -> dict[str, Tensor]:
    """What every batch has, by the names of ``TextBatch``."""
    context = padded([example.context for example in examples], NOWHERE)
    question = padded([example.question for example in examples], NOWHERE)
    distinct, places = np.unique(
        np.concatenate([context.ravel(), question.ravel()]), return_inverse=True
    )
    places = places.ravel()
    # Padding is "word -1": it takes the last word's row, which the masks hide.
    words, size = (part[distinct] for part in tokens), context.size
    paragraphs = padded([example.places[:, 0] for example in examples], NOWHERE)
    arrays: dict[str, NDArray[Any]] = dict(zip(("words", "characters"), words, strict=True))
    arrays |= {
        "context": places[:size].reshape(context.shape),
        "question": places[size:].reshape(question.shape),
        "context_lengths": np.array([len(example.context) for example in examples]),
        "question_lengths": np.array([len(example.question) for example in examples]),
        "context_mask": context != NOWHERE,
        "question_mask": question != NOWHERE,
        "paragraphs": paragraphs,
        "starts": _marked(context.shape, [example.starts for example in examples]),
        "ends": _marked(context.shape, [example.ends for example in examples]),
    }
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def _marked(shape: tuple[int, ...], places: Sequence[Ints]) -> NDArray[np.bool_]:
    marks = np.zeros(shape, np.bool_)
    for row, own in zip(marks, places, strict=True):
        row[own] = True
    return marks
