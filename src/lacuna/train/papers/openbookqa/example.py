"""A question with choices as texts of words: the question, its choices, the fact, the knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lacuna.datasets.openbookqa import right_choice
from lacuna.train.layers.tensor_batch import TensorBatch
from lacuna.train.papers.tokens import Ints, TokenArrays, TokenTable, padded
from lacuna.types import Question

NO_WORD = -1
LONGEST_LINE = 60
"""Words of a line of knowledge that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceExample:
    """``lines`` are the texts that are known of each choice; each begins with the fact."""

    question: Ints
    choices: tuple[Ints, ...]
    lines: tuple[tuple[Ints, ...], ...]
    right: int
    """The number of the right choice, -1 where it is not known."""
    group: str

    @property
    def length(self) -> int:
        """How many words the question has."""
        return len(self.question)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceBatch(TensorBatch):
    """All texts of some questions, each once. Lengths stay on the CPU."""

    words: Tensor
    """[different words], numbers of a vocabulary."""
    characters: Tensor
    """[different words, characters]"""
    texts: Tensor
    """[texts, words], each a place in ``words``."""
    text_lengths: Tensor
    mask: Tensor
    """[texts, words], True where there is a word."""
    asked: Tensor
    """[choices]: the text of the question that each choice belongs to."""
    choices: Tensor
    """[choices]: the text of each choice."""
    question_of: Tensor
    """[choices]: the number of its question in the batch."""
    lines: Tensor
    """[choices, lines]: the texts that are known of each choice; -1 where there is none."""
    right: Tensor
    """[questions]: the right choice among all choices of the batch; -1 where it is not known."""


def choice_example(question: Question, table: TokenTable, *, with_fact: bool) -> ChoiceExample:
    """A question with what is known of its choices.

    Lines of knowledge come as documents of the question, one for each choice, by its label.
    """
    known = {document.title: document.text.split("\n") for document in question.documents}
    facts = [question.fact] if with_fact and question.fact else []
    return ChoiceExample(
        question=_words(question.text, table),
        choices=tuple(_words(choice.text, table) for choice in question.choices),
        lines=tuple(
            tuple(_words(line, table) for line in (*facts, *known.get(choice.label, ())) if line)
            for choice in question.choices
        )
        if with_fact
        else tuple(() for _ in question.choices),
        right=right_choice(question),
        group=question.fact or question.id,
    )


def _words(text: str, table: TokenTable) -> Ints:
    numbers = table.tokens(text).numbers[:LONGEST_LINE]
    return numbers if len(numbers) else np.array([table.number("?")], np.int32)


def choice_batch(examples: Sequence[ChoiceExample], tokens: TokenArrays) -> ChoiceBatch:
    """Several examples as tensors; a text that several choices share is read once."""
    places: dict[bytes, int] = {}
    rows: list[Ints] = []

    def place(text: Ints) -> int:
        at = places.setdefault(text.tobytes(), len(rows))
        if at == len(rows):
            rows.append(text)
        return at

    asked: list[int] = []
    choices: list[int] = []
    question_of: list[int] = []
    lines: list[NDArray[np.int64]] = []
    right: list[int] = []
    for number, example in enumerate(examples):
        right.append(-1 if example.right < 0 else len(choices) + example.right)
        question = place(example.question)
        for choice, known in zip(example.choices, example.lines, strict=True):
            asked.append(question)
            choices.append(place(choice))
            question_of.append(number)
            lines.append(np.array([place(line) for line in known], np.int64))
    table = padded(rows, NO_WORD)  # [texts, words]
    distinct, inverse = np.unique(table, return_inverse=True)
    # Padding is "word -1": it takes the last word's row, which the mask hides.
    return ChoiceBatch(
        words=torch.from_numpy(tokens.words[distinct]),
        characters=torch.from_numpy(tokens.characters[distinct]),
        texts=torch.from_numpy(inverse.reshape(table.shape)),
        text_lengths=torch.tensor([len(row) for row in rows]),
        mask=torch.from_numpy(table != NO_WORD),
        asked=torch.tensor(asked),
        choices=torch.tensor(choices),
        question_of=torch.tensor(question_of),
        lines=torch.from_numpy(padded(lines, NO_WORD)),
        right=torch.tensor(right),
    )
