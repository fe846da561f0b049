"""Three networks that score choices (Mihaylov et al. 2018; GapQA compares with them in table 4).

All read every text by itself with one RNN, and give each choice one score. Q2Choice compares
question and choice as wholes; ESIM word by word; the knowledge reader (KER) lets both look up lines
of knowledge first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from lacuna.train.layers.attention import LOWEST
from lacuna.train.layers.dropout import same_dropout
from lacuna.train.layers.recurrent import BiGru
from lacuna.train.layers.word_embedding import WordEmbedding
from lacuna.train.papers.openbookqa.example import ChoiceBatch
from lacuna.train.papers.openbookqa.recipe import ChoiceRecipe
from lacuna.train.papers.reading_body import SPELLED_SIZE


class TextBody(nn.Module):
    """Embeds and reads each text by itself."""

    def __init__(self, recipe: ChoiceRecipe, vectors: Tensor) -> None:
        super().__init__()
        spelled = SPELLED_SIZE if recipe.characters else 0
        self.embedding = WordEmbedding(vectors, spelled, learned=not recipe.vectors)
        self.rnn = BiGru(self.embedding.size, recipe.hidden, recipe.dropout)
        self.size = self.rnn.size

    def forward(self, batch: ChoiceBatch) -> Tensor:
        """The states of all texts, [texts, words, size]."""
        words = self.embedding(batch.words, batch.characters)  # [different words, embedding]
        states: Tensor = self.rnn(words[batch.texts], batch.text_lengths)
        return states


class ChoiceNetwork(nn.Module, ABC):
    """A score for each choice, from the states of all texts of a batch."""

    def __init__(self, recipe: ChoiceRecipe, vectors: Tensor) -> None:
        super().__init__()
        self.body = TextBody(recipe, vectors)
        self.dropout = recipe.dropout

    def forward(self, batch: ChoiceBatch) -> Tensor:
        """The scores of all choices of a batch, [choices]."""
        return self.score(self.body(batch), batch).float()

    @abstractmethod
    def score(self, states: Tensor, batch: ChoiceBatch) -> Tensor:
        """[texts, words, size] to [choices]."""

    def loss(self, batch: ChoiceBatch) -> Tensor:
        """Cross-entropy over the choices of each question."""
        scores = self(batch)
        numbers = torch.arange(len(batch.right), device=scores.device)
        own = numbers[:, None] == batch.question_of[None]  # [questions, choices]
        return nn.functional.cross_entropy(scores.masked_fill(~own, LOWEST), batch.right)


class QuestionToChoice(ChoiceNetwork):
    """How well question and choice go together, each as the largest values of its states."""

    def __init__(self, recipe: ChoiceRecipe, vectors: Tensor) -> None:
        super().__init__(recipe, vectors)
        self.match = Match(self.body.size)

    def score(self, states: Tensor, batch: ChoiceBatch) -> Tensor:
        wholes = largest(states, batch.mask)  # [texts, size]
        wholes = nn.functional.dropout(wholes, self.dropout, self.training)
        matched: Tensor = self.match(wholes[batch.asked], wholes[batch.choices])
        return matched


class Esim(ChoiceNetwork):
    """ESIM (Chen et al. 2017): each word is set beside what it is most like in the other text."""

    def __init__(self, recipe: ChoiceRecipe, vectors: Tensor) -> None:
        super().__init__(recipe, vectors)
        size = self.body.size
        self.narrow = nn.Linear(4 * size, recipe.hidden)
        self.compose = BiGru(recipe.hidden, recipe.hidden, recipe.dropout)
        self.hidden = nn.Linear(4 * self.compose.size, recipe.hidden)
        self.out = nn.Linear(recipe.hidden, 1)

    def score(self, states: Tensor, batch: ChoiceBatch) -> Tensor:
        states = same_dropout(states, self.dropout, training=self.training)
        lengths, pooled = batch.text_lengths, []
        question, choice = states[batch.asked], states[batch.choices]  # [choices, words, size]
        masks = batch.mask[batch.asked], batch.mask[batch.choices]
        alike = question @ choice.transpose(1, 2)  # [choices, question words, choice words]
        for own, other, mask, other_mask, scores, rows in (
            (question, choice, *masks, alike, batch.asked),
            (choice, question, *masks[::-1], alike.transpose(1, 2), batch.choices),
        ):
            found = scores.masked_fill(~other_mask[:, None], LOWEST).softmax(2) @ other
            beside = torch.cat([own, found, own - found, own * found], 2)
            read = self.compose(self.narrow(beside).relu(), lengths[rows.cpu()])
            pooled += [mean(read, mask), largest(read, mask)]  # [choices, size] each
        hidden = self.hidden(torch.cat(pooled, 1)).tanh()
        scored: Tensor = self.out(nn.functional.dropout(hidden, self.dropout, self.training))
        return scored[:, 0]


class KnowledgeReader(ChoiceNetwork):
    """KER (Mihaylov and Frank 2018): each word looks up the lines that are known of a choice.

    Question and choice are compared with and without what they found, in all four ways.
    """

    def __init__(self, recipe: ChoiceRecipe, vectors: Tensor) -> None:
        super().__init__(recipe, vectors)
        self.match = Match(self.body.size)
        self.own = nn.Parameter(torch.zeros(()))
        """How much of a word stays its own, before a sigmoid."""
        self.four = nn.Linear(4, 1, bias=False)
        nn.init.constant_(self.four.weight, 1.0)

    def score(self, states: Tensor, batch: ChoiceBatch) -> Tensor:
        wholes = largest(states, batch.mask)  # [texts, size]
        known = wholes[batch.lines.clamp(min=0)]  # [choices, lines, size]
        plain, informed = [], []
        for rows in (batch.asked, batch.choices):
            text, mask = states[rows], batch.mask[rows]  # [choices, words, size]
            plain.append(self._dropped(wholes[rows]))
            found = self._look_up(text, known, batch.lines >= 0)
            share = self.own.sigmoid()
            informed.append(self._dropped(largest(share * text + (1 - share) * found, mask)))
        matches = [
            self.match(question, choice)
            for question in (plain[0], informed[0])
            for choice in (plain[1], informed[1])
        ]
        scored: Tensor = self.four(torch.stack(matches, 1))  # [choices, 1]
        return scored[:, 0]

    def _look_up(self, text: Tensor, known: Tensor, there: Tensor) -> Tensor:
        """What each word finds, [choices, words, size]; itself where nothing is known."""
        if not known.shape[1]:
            return text
        scores = (text @ known.transpose(1, 2)).masked_fill(~there[:, None], LOWEST)
        found = scores.softmax(2) @ known
        return torch.where(there.any(1)[:, None, None], found, text)

    def _dropped(self, wholes: Tensor) -> Tensor:
        return nn.functional.dropout(wholes, self.dropout, self.training)


class Match(nn.Module):
    """How well two vectors go together, by both of them, their difference and their product."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weigh = nn.Linear(4 * size, 1)

    def forward(self, one: Tensor, other: Tensor) -> Tensor:
        """[rows, size] twice to [rows]."""
        whole = torch.cat([one, other, (one - other).abs(), one * other], 1)
        matched: Tensor = self.weigh(whole)
        return matched[:, 0]


def largest(states: Tensor, mask: Tensor) -> Tensor:
    """The largest value in each dimension among a text's words: [texts, size]."""
    return states.masked_fill(~mask[..., None], LOWEST).amax(1)


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of a text's words: [texts, size]."""
    share = mask[..., None].to(states.dtype)
    return (states * share).sum(1) / share.sum(1).clamp(min=1)
