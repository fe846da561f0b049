"""What the papers' networks share below their heads: from words to states of the context."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lacuna.train.layers.attention import BiAttention, ResidualSelfAttention
from lacuna.train.layers.recurrent import BiGru, rows_at
from lacuna.train.layers.word_embedding import WordEmbedding
from lacuna.train.papers.batch import TextBatch
from lacuna.train.papers.contextual import ContextualWords, EncoderInputs
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.recipe import WordRecipe

SPELLED_SIZE = 100
"""What the characters of a word become."""


class ReadingBody(nn.Module):
    """Embed, read, let context and question attend to each other, read, attend to itself.

    ``extra`` is the size of what a network puts beside each word; ``encoder`` gives contextual
    embeddings.
    """

    def __init__(
        self,
        recipe: WordRecipe,
        vectors: Tensor,
        encoder: PieceEncoder | None = None,
        extra: int = 0,
    ) -> None:
        super().__init__()
        dropout, hidden = recipe.dropout, recipe.hidden
        spelled = SPELLED_SIZE if recipe.characters else 0
        self.embedding = WordEmbedding(vectors, spelled, learned=not recipe.vectors)
        self.contextual = ContextualWords(encoder) if encoder else None
        within = self.contextual.size if self.contextual else 0
        self.first_rnn = BiGru(self.embedding.size + within + extra, hidden, dropout)
        self.size = self.first_rnn.size
        self.both = BiAttention(self.size, dropout)
        self.narrow = nn.Linear(self.both.size, self.size)
        self.second_rnn = BiGru(self.size, hidden, dropout)
        attends = recipe.self_attention
        self.itself = ResidualSelfAttention(self.size, dropout) if attends else None

    def forward(
        self,
        batch: TextBatch,
        beside_context: Tensor | None = None,
        beside_question: Tensor | None = None,
    ) -> Tensor:
        """The states of the context, [texts, words, size]."""
        words = self.embedding(batch.words, batch.characters)  # [different words, embedding]
        context = self._beside(rows_at(words, batch.context), batch.context_pieces)
        question = self._beside(rows_at(words, batch.question), batch.question_pieces)
        if beside_context is not None and beside_question is not None:
            context = torch.cat([context, beside_context], 2)
            question = torch.cat([question, beside_question], 2)
        context = self.first_rnn(context, batch.read_lengths)  # [texts, words, size]
        question = self.first_rnn(question, batch.question_lengths)
        aware = self.both(context, question, batch.context_mask, batch.question_mask)
        states = self.narrow(aware).relu()  # [texts, words, size]
        read = self.second_rnn(states, batch.read_lengths)
        if self.itself is None:
            return states + read
        return self.itself(states, read, batch.context_mask)

    def _beside(self, words: Tensor, pieces: EncoderInputs | None) -> Tensor:
        if self.contextual is None or pieces is None:
            return words
        return torch.cat([words, self.contextual(pieces)], 2)
