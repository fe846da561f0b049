"""Examples of questions over a context, and several of them as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lacuna.train.layers.recurrent import TextParts
from lacuna.train.layers.tensor_batch import TensorBatch
from lacuna.train.papers.contextual import EncoderInputs, encoder_inputs
from lacuna.train.papers.tokens import Ints, TokenArrays, padded

NOWHERE = -1
"""The paragraph of a word that no answer may contain, and of what pads a text."""
LONGEST_PART = 256
"""Words; one long paragraph would keep all others of a batch waiting."""


class PaperExample(Protocol):
    """What training needs to know of an example."""

    @property
    def length(self) -> int:
        """How much there is to read; examples are sorted by it."""
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

    @property
    def length(self) -> int:
        """How many words the context has."""
        return len(self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBatch(TensorBatch):
    """Questions over contexts."""

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
    parts: TextParts | None = None
    """What the RNNs read by itself; without any, they read each context as a whole."""
    context_pieces: EncoderInputs | None = None
    """For a pretrained encoder whose states stand beside the words."""
    question_pieces: EncoderInputs | None = None

    @property
    def read_lengths(self) -> Tensor | TextParts:
        """What the RNNs go by."""
        return self.context_lengths if self.parts is None else self.parts


def text_part(examples: Sequence[TextExample], tokens: TokenArrays) -> dict[str, Any]:
    """What every batch has, by the names of ``TextBatch``."""
    context = padded([example.context for example in examples], NOWHERE)
    question = padded([example.question for example in examples], NOWHERE)
    distinct, places = np.unique(
        np.concatenate([context.ravel(), question.ravel()]), return_inverse=True
    )
    places = places.ravel()
    # Padding is "word -1": it takes the last word's row, which the masks hide.
    size = context.size
    paragraphs = padded([example.places[:, 0] for example in examples], NOWHERE)
    arrays: dict[str, NDArray[Any]] = {
        "words": tokens.words[distinct],
        "characters": tokens.characters[distinct],
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
    batch: dict[str, Any] = {name: torch.from_numpy(array) for name, array in arrays.items()}
    if tokens.pieces is not None:
        asked = [example.question for example in examples]
        batch["context_pieces"] = encoder_inputs([e.context for e in examples], tokens.pieces)
        batch["question_pieces"] = encoder_inputs(asked, tokens.pieces)
    return batch


def text_parts(examples: Sequence[TextExample], starts: Sequence[Ints]) -> TextParts:
    """The contexts in parts, each from one of its ``starts`` to the next, or ``LONGEST_PART``."""
    width = max(len(example.context) for example in examples)
    words = []
    for row, (example, own) in enumerate(zip(examples, starts, strict=True)):
        through = row * width + np.arange(len(example.context))
        for part in np.split(through, own[1:]):
            words += [part[at : at + LONGEST_PART] for at in range(0, len(part), LONGEST_PART)]
    longest = max(len(part) for part in words)
    places = np.zeros(len(examples) * width, np.int64)
    for number, part in enumerate(words):
        places[part] = number * longest + np.arange(len(part))
    return TextParts(
        words=torch.from_numpy(padded(words, 0)),
        places=torch.from_numpy(places.reshape(len(examples), width)),
        part_lengths=torch.tensor([len(part) for part in words]),
    )


def _marked(shape: tuple[int, ...], places: Sequence[Ints]) -> NDArray[np.bool_]:
    marks = np.zeros(shape, np.bool_)
    for row, own in zip(marks, places, strict=True):
        row[own] = True
    return marks
