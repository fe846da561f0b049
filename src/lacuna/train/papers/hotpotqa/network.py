"""HotpotQA's baseline (figure 3 of the paper): one network for answers and supporting facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from lacuna.train.layers.attention import LOWEST
from lacuna.train.layers.pointer import StackedPointer, pointer_loss
from lacuna.train.layers.recurrent import BiGru
from lacuna.train.papers.batch import NOWHERE, TextBatch, text_part, text_parts
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.hotpotqa.example import KINDS, UNKNOWN_KIND, HotpotExample
from lacuna.train.papers.hotpotqa.recipe import HotpotRecipe
from lacuna.train.papers.reading_body import ReadingBody
from lacuna.train.papers.tokens import TokenArrays, padded


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotBatch(TextBatch):
    """Questions over paragraphs, with their sentences."""

    bounds: Tensor
    """[texts, sentences, 2]: the first and last word of each."""
    sentence_mask: Tensor
    """[texts, sentences]"""
    sentence_of: Tensor
    """[texts, words]: the sentence of each word, -1 for words in none."""
    support: Tensor
    """[texts, sentences]"""
    kinds: Tensor
    """[texts]"""


class HotpotScores(NamedTuple):
    """Scores before any softmax."""

    support: Tensor
    """[texts, sentences]"""
    start: Tensor
    """[texts, words]"""
    end: Tensor
    kind: Tensor
    """[texts, 3]: span, yes, no."""


class HotpotNetwork(nn.Module):
    """Sentences first, then start, end and kind of the answer, each from what was read before."""

    def __init__(
        self, recipe: HotpotRecipe, vectors: Tensor, encoder: PieceEncoder | None = None
    ) -> None:
        super().__init__()
        hidden, dropout = recipe.hidden, recipe.dropout
        self.support_weight = recipe.support_weight
        self.body = ReadingBody(recipe, vectors, encoder)
        size = self.body.size
        self.sentence_rnn = BiGru(size, hidden, dropout)
        self.sentence_score = nn.Linear(2 * size, 1)
        self.start = StackedPointer(size, 2 * size, hidden, dropout)
        self.end = StackedPointer(size, self.start.size, hidden, dropout)
        self.kind_rnn = BiGru(size + self.end.size, hidden, dropout)
        self.kind = nn.Linear(self.kind_rnn.size, len(KINDS))

    def forward(self, batch: HotpotBatch) -> HotpotScores:
        lengths, allowed = batch.read_lengths, batch.paragraphs != NOWHERE
        states = self.body(batch)  # [texts, words, size]
        sentences = self._sentences(self.sentence_rnn(states, lengths), batch.bounds)
        support = self.sentence_score(sentences).squeeze(2).float()  # [texts, sentences]
        start_states, start = self.start(
            states, _at_words(sentences, batch.sentence_of), lengths, allowed
        )
        end_states, end = self.end(states, start_states, lengths, allowed)
        read = self.kind_rnn(torch.cat([states, end_states], 2), lengths)
        read = read.masked_fill(~batch.context_mask[:, :, None], LOWEST)
        return HotpotScores(support, start, end, self.kind(read.max(1).values).float())

    def _sentences(self, states: Tensor, bounds: Tensor) -> Tensor:
        """States at the first and last word of each sentence, [texts, sentences, 2 size]."""
        texts, sentences, _ = bounds.shape
        places = bounds.reshape(texts, -1, 1).expand(-1, -1, states.shape[2])
        return states.gather(1, places).reshape(texts, sentences, -1)

    def loss(self, batch: HotpotBatch) -> Tensor:
        """The joint loss: of start, end and kind, and of supporting facts by their weight."""
        scores = self(batch)
        loss = pointer_loss(scores.start, batch.starts) + pointer_loss(scores.end, batch.ends)
        if bool((batch.kinds != UNKNOWN_KIND).any()):
            loss = loss + nn.functional.cross_entropy(scores.kind, batch.kinds)
        if self.support_weight and bool(batch.sentence_mask.any()):
            chosen = batch.sentence_mask
            facts = nn.functional.binary_cross_entropy_with_logits(
                scores.support[chosen], batch.support[chosen].float()
            )
            loss = loss + self.support_weight * facts
        return loss


def _at_words(sentences: Tensor, sentence_of: Tensor) -> Tensor:
    """The state of each word's sentence, [texts, words, size]; zeros for words in none."""
    places = sentence_of.clamp(min=0)[:, :, None].expand(-1, -1, sentences.shape[2])
    return sentences.gather(1, places) * (sentence_of != NOWHERE)[:, :, None]


def hotpot_batch(
    examples: Sequence[HotpotExample], tokens: TokenArrays, *, by_paragraph: bool
) -> HotpotBatch:
    """Several examples as tensors."""
    texts = text_part(examples, tokens)
    # At least one place for a sentence, so that a batch without any has a shape as well.
    most = max(1, *(len(example.sentences) for example in examples))
    bounds = np.zeros((len(examples), most, 2), np.int64)
    real, support = (np.zeros((len(examples), most), np.bool_) for _ in range(2))
    sentence_of = []
    for row, example in enumerate(examples):
        count = len(example.sentences)
        bounds[row, :count] = example.sentences[:, :2]
        real[row, :count], support[row, :count] = True, example.support
        own = np.full(len(example.context), NOWHERE, np.int64)
        for number, (first, last) in enumerate(example.sentences[:, :2]):
            own[first : last + 1] = number
        sentence_of.append(own)
    return HotpotBatch(
        **texts,
        bounds=torch.from_numpy(bounds),
        sentence_mask=torch.from_numpy(real),
        sentence_of=torch.from_numpy(padded(sentence_of, NOWHERE)),
        support=torch.from_numpy(support),
        kinds=torch.tensor([example.kind for example in examples]),
        parts=text_parts(examples, [e.paragraph_starts for e in examples])
        if by_paragraph
        else None,
    )
