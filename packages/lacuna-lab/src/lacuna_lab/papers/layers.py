"""Layers that networks over words share."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import torch
from torch import Tensor, nn, ones_like


def same_dropout(states: Tensor, rate: float, *, training: bool) -> Tensor:
    """Drop the same dimensions at every word of a text; states are [texts, words, size]."""
    if not training or not rate:
        return states
    return states * nn.functional.dropout(ones_like(states[:, :1]), rate)


B = TypeVar("B", bound="TensorBatch")


@dataclass(frozen=True, slots=True)
class TensorBatch:
    """Tensors of several examples. Lengths stay on the CPU: the RNNs want them there."""

    def to(self: B, device: torch.device) -> B:
        """The same on a device, but for the lengths."""
        moved: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Tensor) and not field.name.endswith("_lengths"):
                moved[field.name] = value.to(device, non_blocking=True)
            elif isinstance(value, TensorBatch):
                moved[field.name] = value.to(device)
        return replace(self, **moved)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextParts(TensorBatch):
    """Parts of texts that are read beside each other instead of one behind the other."""

    words: Tensor
    """[parts, words a part]: which word of all texts, counted through, stands there."""
    places: Tensor
    """[texts, words]: where each word stands among those of all parts, counted through."""
    part_lengths: Tensor
    """[parts]"""


class BiGru(nn.Module):
    """Variational dropout, then a GRU each way; the first half of a state has read what comes
    before a word, the second half what comes after it."""

    def __init__(self, input_size: int, direction_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.size = 2 * direction_size
        self.onward = nn.GRU(input_size, direction_size, batch_first=True)
        self.back = nn.GRU(input_size, direction_size, batch_first=True)

    def forward(self, texts: Tensor, lengths: Tensor | TextParts) -> Tensor:
        """[texts, words, input size] to [texts, words, size], zeros behind the end of a text.

        With parts instead of lengths, each part is read as if it stood alone.
        """
        texts = same_dropout(texts, self.dropout, training=self.training)
        if isinstance(lengths, Tensor):
            return self._read(texts, lengths)
        alone = rows_at(texts.flatten(0, 1), lengths.words)  # [parts, words a part, input size]
        read = self._read(alone, lengths.part_lengths)
        return rows_at(read.flatten(0, 1), lengths.places)

    def _read(self, texts: Tensor, lengths: Tensor) -> Tensor:
        # Packed sequences would be copied step by step, which takes a GPU far longer than reading.
        # Each way the padding comes last, where it changes nothing.
        count, words, _ = texts.shape
        at = torch.arange(words, device=lengths.device)[None]
        real = at < lengths[:, None]  # [texts, words]
        turned = torch.where(real, lengths[:, None] - 1 - at, at)
        turned = turned + words * torch.arange(count, device=lengths.device)[:, None]
        turned, real = (each.to(texts.device, non_blocking=True) for each in (turned, real))
        before = self.onward(texts)[0]
        after = self.back(rows_at(texts.flatten(0, 1), turned))[0]
        states = torch.cat([before, rows_at(after.flatten(0, 1), turned)], 2)
        return states * real[:, :, None]


def rows_at(rows: Tensor, places: Tensor) -> Tensor:
    """[rows, size] at ``places`` of any shape, as another dimension of these.

    Indexing does the same; but learning through it is slow where a row is taken often.
    """
    return rows.index_select(0, places.flatten()).view(*places.shape, rows.shape[1])


LOWEST = -1e4
"""The number that stands for minus infinity; half precision holds it as well."""


class TrilinearScores(nn.Module):
    """Scores of each word of one text with each word of another: a · x + b · y + c · (x * y)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.of_first = nn.Linear(size, 1, bias=False)
        self.of_second = nn.Linear(size, 1, bias=False)
        self.of_both = nn.Parameter(torch.empty(size).uniform_(-1, 1) / size**0.5)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """[texts, m, size] and [texts, n, size] to [texts, m, n]."""
        alone = self.of_first(first) + self.of_second(second).transpose(1, 2)  # [texts, m, n]
        return alone + (first * self.of_both) @ second.transpose(1, 2)


class BiAttention(nn.Module):
    """Context to question and question to context; the output is four times as wide."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.scores = TrilinearScores(size)
        self.dropout = dropout
        self.size = 4 * size

    def forward(
        self, context: Tensor, question: Tensor, context_mask: Tensor, question_mask: Tensor
    ) -> Tensor:
        """Masks are [texts, words], True where there is a word."""
        context = same_dropout(context, self.dropout, training=self.training)
        question = same_dropout(question, self.dropout, training=self.training)
        scores = self.scores(context, question)  # [texts, context words, question words]
        scores = scores.masked_fill(~question_mask[:, None], LOWEST)
        asked = scores.softmax(2) @ question  # [texts, context words, size]
        best = scores.max(2).values.masked_fill(~context_mask, LOWEST)  # [texts, context words]
        whole = best.softmax(1)[:, None] @ context  # [texts, 1, size]
        return torch.cat([context, asked, context * asked, whole * asked], 2)


class ResidualSelfAttention(nn.Module):
    """Each word of a context looks at all others; what it finds is added to its own state."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.scores = TrilinearScores(size)
        self.project = nn.Linear(3 * size, size)
        self.dropout = dropout

    def forward(self, states: Tensor, read: Tensor, mask: Tensor) -> Tensor:
        """[texts, words, size] to the same shape; ``read`` is what an RNN made of the states."""
        read = same_dropout(read, self.dropout, training=self.training)
        scores = self.scores(read, read)  # [texts, words, words]
        itself = torch.eye(scores.shape[1], dtype=torch.bool, device=scores.device)
        scores = scores.masked_fill(itself | ~mask[:, None], LOWEST)
        others = scores.softmax(2) @ read  # [texts, words, size]
        return states + self.project(torch.cat([read, others, read * others], 2)).relu()


class StackedPointer(nn.Module):
    """An RNN over the states of a text beside those of the pointer before, and a score a word."""

    def __init__(self, size: int, before_size: int, direction_size: int, dropout: float) -> None:
        super().__init__()
        self.rnn = BiGru(size + before_size, direction_size, dropout)
        self.size = self.rnn.size
        self.score = nn.Linear(self.size, 1)

    def forward(
        self, states: Tensor, before: Tensor | None, lengths: Tensor | TextParts, allowed: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Its own states [texts, words, size], and the scores [texts, words].

        ``allowed`` is [texts, words]: the words that it may point to.
        """
        whole = states if before is None else torch.cat([states, before], 2)
        read = self.rnn(whole, lengths)
        return read, self.score(read).squeeze(2).float().masked_fill(~allowed, LOWEST)


def pointer_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """The negative log-likelihood of the gold words, all of them together: the mean over texts that
    have any.

    Both are [texts, words]. An answer may stand in several places, and each of them is right.
    """
    has = gold.any(1)  # [texts]
    if not bool(has.any()):
        return scores.sum() * 0
    right = scores[has].masked_fill(~gold[has], -torch.inf).logsumexp(1)
    return (scores[has].logsumexp(1) - right).mean()


def best_spans(
    start: Tensor, end: Tensor, paragraphs: Tensor, longest: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The best first and last word of each text, and how likely both are, all [texts].

    Scores are [texts, words]; a span stays in one of ``paragraphs`` [texts, words] and has at most
    ``longest`` words.
    """
    start, end = start.log_softmax(1), end.log_softmax(1)
    words = start.shape[1]
    by_length = []
    for more in range(min(longest, words)):
        both = start[:, : words - more] + end[:, more:]
        same = paragraphs[:, : words - more] == paragraphs[:, more:]
        both = both.masked_fill(~same, -torch.inf)
        by_length.append(nn.functional.pad(both, (0, more), value=-torch.inf))
    table = torch.stack(by_length, 2).flatten(1)  # [texts, words * lengths]
    best, place = table.max(1)
    first = place // len(by_length)
    return first, first + place % len(by_length), best.exp()


# What a word is to a network: its vector, and what a small RNN makes of its characters.
#
# A batch has far fewer different words than words, so each is embedded once, and put wherever it
# stands in a text.


CHARACTERS = 258
"""Padding, the first 256 characters of Unicode, and one number for all others."""
CHARACTERS_A_WORD = 16
"""Longer words are cut."""
CHARACTER_SIZE = 16


def character_numbers(word: str) -> list[int]:
    """A word as so many numbers, 0 behind its end.

    >>> character_numbers("ab")[:4], character_numbers("→")[0]
    ([98, 99, 0, 0], 257)
    """
    numbers = [min(ord(character), 256) + 1 for character in word[:CHARACTERS_A_WORD]]
    return numbers + [0] * (CHARACTERS_A_WORD - len(numbers))


def few_vectors(table: nn.Embedding, numbers: Tensor) -> Tensor:
    """Vectors of a small table. Learning it by looking up would be slow: each is used so often."""
    chosen = nn.functional.one_hot(numbers, table.num_embeddings)
    vectors: Tensor = chosen.to(table.weight.dtype) @ table.weight
    return vectors


class CharacterEncoder(nn.Module):
    """Reads each word letter by letter, in both directions; the last states stand for the word."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.characters = nn.Embedding(CHARACTERS, CHARACTER_SIZE, padding_idx=0)
        self.rnn = BiGru(CHARACTER_SIZE, size // 2, dropout=0.0)

    def forward(self, characters: Tensor) -> Tensor:
        """[words, characters] to [words, size]."""
        lengths = (characters > 0).sum(1).clamp(min=1)  # [words]
        states = self.rnn(few_vectors(self.characters, characters), lengths)
        onward, back = states.chunk(2, 2)  # [words, characters, size / 2] each
        last = torch.arange(len(characters), device=characters.device)
        return torch.cat([onward[last, lengths - 1], back[:, 0]], 1)


class WordEmbedding(nn.Module):
    """Word vectors, beside the character encoder's if there is one (``character_size`` above 0).

    Given vectors stay as they are; without any, they are learned (``learned``).
    """

    def __init__(self, vectors: Tensor, character_size: int, *, learned: bool) -> None:
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors, freeze=not learned, padding_idx=0)
        self.spelled = CharacterEncoder(character_size) if character_size else None
        self.size = vectors.shape[1] + character_size

    def forward(self, words: Tensor, characters: Tensor) -> Tensor:
        """Different words [words] and their characters [words, characters] to [words, size]."""
        parts = [self.vectors(words)]
        if self.spelled is not None:
            parts.append(self.spelled(characters))
        return torch.cat(parts, 1)
