"""The networks that GapQA's table 4 compares with: Q2Choice, ESIM and the knowledge reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lacuna.datasets.openbookqa import right_choice
from lacuna.errors import LacunaError
from lacuna.models.gapqa.rows import with_known_choices
from lacuna.models.model_folder import ModelSystem
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Answer, Prediction, Question
from lacuna_lab.data.sources import TRAIN, read
from lacuna_lab.papers.layers import LOWEST, BiGru, TensorBatch, WordEmbedding, same_dropout
from lacuna_lab.papers.words import (
    SPELLED_SIZE,
    Ints,
    PieceEncoder,
    TokenArrays,
    TokenTable,
    WordRecipe,
    padded,
)

NO_KNOWLEDGE = "none"
KNOWLEDGE = (NO_KNOWLEDGE, "wordnet", "omcs", "triples", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRecipe(WordRecipe):
    """``system`` says which network it is: question-to-choice, esim or ker."""

    characters: bool = False
    """The papers read words alone."""
    knowledge: str = NO_KNOWLEDGE
    """The texts that ker reads besides the fact: a part of a knowledge base."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        if self.contextual:
            raise LacunaError(f"{where}: {self.system} has no contextual embeddings.")
        if self.knowledge not in KNOWLEDGE:
            raise LacunaError(f"{where}: 'knowledge' must be {' or '.join(KNOWLEDGE)}.")
        if self.reads_knowledge and self.system != ModelSystem.KER:
            raise LacunaError(f"{where}: 'knowledge' is for the system ker alone.")

    @property
    def reads_knowledge(self) -> bool:
        """True if lines of a knowledge base are read."""
        return self.knowledge != NO_KNOWLEDGE


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
        """The number of words of the question."""
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


# Three networks that score choices (Mihaylov et al. 2018; GapQA compares with them in table 4).
#
# All read every text by itself with one RNN, and give each choice one score. Q2Choice compares
# question and choice as wholes; ESIM word by word; the knowledge reader (KER) lets both look up
# lines of knowledge first.


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
    """Score how well question and choice go together, each as the largest values of its states."""

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
        """The share of a word that stays its own, before a sigmoid."""
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
        """The state that each word finds, [choices, words, size]; itself where nothing is known."""
        if not known.shape[1]:
            return text
        scores = (text @ known.transpose(1, 2)).masked_fill(~there[:, None], LOWEST)
        found = scores.softmax(2) @ known
        return torch.where(there.any(1)[:, None, None], found, text)

    def _dropped(self, wholes: Tensor) -> Tensor:
        return nn.functional.dropout(wholes, self.dropout, self.training)


class Match(nn.Module):
    """Score how well two vectors go together, by both of them, their difference and their
    product."""

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


QUESTIONS = TRAIN["openbookqa"]
NETWORKS: dict[str, type[ChoiceNetwork]] = {
    ModelSystem.QUESTION_TO_CHOICE: QuestionToChoice,
    ModelSystem.ESIM: Esim,
    ModelSystem.KER: KnowledgeReader,
}


@dataclass(frozen=True, slots=True)
class ChoiceTask:
    """OpenBookQA by a recipe; ``base`` is what may be looked up in training."""

    recipe: ChoiceRecipe
    base: KnowledgeBase | None = None

    def with_knowledge(self, folder: Path | None) -> ChoiceTask:
        """The same with the base that the recipe wants, or none."""
        if not self.recipe.reads_knowledge:
            if folder is None:
                return self
            raise LacunaError("The recipe reads no knowledge. Leave out --knowledge.")
        if folder is None:
            raise LacunaError(
                f"The recipe reads knowledge ({self.recipe.knowledge}). Make some with `lacuna "
                "knowledge FILE … --out DIR`, and give it as --knowledge DIR."
            )
        return replace(self, base=KnowledgeBase.open(folder))

    def files(self, data: Path) -> list[Path]:
        return [QUESTIONS.find(data)]

    def questions(self, data: Path) -> Iterator[Question]:
        if self.base is None:
            yield from read(QUESTIONS, data)
            return
        questions = list(read(QUESTIONS, data))
        facts = {question.fact for question in questions if question.fact}
        base = self.base.narrowed(self.recipe.knowledge).without(facts)
        for question in questions:
            yield with_known_choices(base, question)

    def trainable(self, question: Question, table: TokenTable) -> ChoiceExample | None:
        if right_choice(question) < 0 or (self._reads_fact and not question.fact):
            return None
        return self.example(question, table, self.recipe.longest)

    def example(self, question: Question, table: TokenTable, longest: int) -> ChoiceExample:
        if not question.choices:
            raise LacunaError(
                f"Question {question.id!r} has no choices, and this system chooses among them. "
                "Give a file of openbookqa."
            )
        return choice_example(question, table, with_fact=self._reads_fact)

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> ChoiceNetwork:
        return NETWORKS[self.recipe.system](self.recipe, vectors)

    def batch(self, examples: Sequence[ChoiceExample], tokens: TokenArrays) -> ChoiceBatch:
        return choice_batch(examples, tokens)

    def predictions(
        self,
        network: ChoiceNetwork,
        batch: ChoiceBatch,
        questions: Sequence[Question],
        examples: Sequence[ChoiceExample],
    ) -> list[Prediction]:
        """The likeliest choice of each question."""
        scores: Tensor = network(batch)
        predictions = []
        for number, question in enumerate(questions):
            likely, best = scores[batch.question_of == number].softmax(0).max(0)
            chosen = question.choices[int(best)]
            answer = Answer.choice(chosen.label, chosen.text)
            predictions.append(Prediction(answer, confidence=float(likely)))
        return predictions

    @property
    def _reads_fact(self) -> bool:
        return self.recipe.system == ModelSystem.KER
