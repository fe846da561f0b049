"""QuAC's BiDAF++ with the answers of earlier turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lacuna.answers import CANNOT_ANSWER
from lacuna.errors import LacunaError
from lacuna.types import (
    Answer,
    AnswerKind,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Prediction,
    Question,
    Role,
    YesNo,
)
from lacuna_lab.data.sources import TRAIN, read
from lacuna_lab.papers.layers import StackedPointer, best_spans, few_vectors, pointer_loss
from lacuna_lab.papers.words import (
    NOWHERE,
    Ints,
    PieceEncoder,
    ReadingBody,
    TextBatch,
    TextExample,
    TokenArrays,
    TokenTable,
    WordRecipe,
    padded,
    text_part,
    words_within,
)
from lacuna_lab.train.instances import occurrences


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogRecipe(WordRecipe):
    """``history`` is the paper's k."""

    history: int = 2
    """Answers of so many earlier turns are marked in the section; 0 reads each question alone."""
    act_weight: float = 1.0
    """The weight of the loss of dialog acts."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        for name in ("history", "act_weight"):
            if getattr(self, name) < 0:
                raise LacunaError(f"{where}: {name!r} must not be less than 0.")


SECTION, NO_ANSWER = 0, 1
"""The "paragraphs" of a context: its text, and the token that stands for no answer."""
UNKNOWN_ACT = -100
"""A label that losses pass over."""
LAST_TURN = 15
"""Later turns count as this one."""
YES_NO, FOLLOW_UP = tuple(YesNo), tuple(FollowUp)


class Marker(IntEnum):
    """The place of a word in an earlier answer."""

    OUTSIDE = 0
    FIRST = 1
    INSIDE = 2
    LAST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogExample(TextExample):
    """A question within a dialog."""

    markers: NDArray[np.int8]
    """[words, earlier turns], the last turn first."""
    turn: int
    acts: tuple[int, int]
    """Yes/no and follow-up."""


@dataclass(frozen=True, slots=True)
class SectionWords:
    """The words of a section, the no-answer token last."""

    document: Document
    numbers: Ints
    places: Ints

    @classmethod
    def of(cls, document: Document, table: TokenTable, longest: int) -> SectionWords:
        # Official sections end with that token already.
        tokens = table.tokens(document.text.rstrip().removesuffix(CANNOT_ANSWER))
        numbers = [*tokens.numbers[:longest].tolist(), table.number(CANNOT_ANSWER)]
        spans = [(SECTION, *span) for span in tokens.places[:longest].tolist()]
        places = [*spans, (NO_ANSWER, 0, 0)]
        return cls(document, np.array(numbers, np.int32), np.array(places, np.int32))

    def find(self, answer: Answer) -> tuple[int, int] | None:
        """The first and last word of an answer; None where it is not among the words."""
        last = len(self.numbers) - 1
        if answer.kind is AnswerKind.NONE:
            return last, last
        if answer.kind is not AnswerKind.SPAN:
            return None
        given = [(place.start, place.end) for place in answer.found_at[:1]]
        for start, end in given or occurrences(self.document.text, answer.texts[0]):
            words = words_within(self.places[:last, 1:], start, end)
            # At the last word, an answer may go on behind the limit.
            if words is not None and (words[1] < last - 1 or self.places[words[1], 2] >= end):
                return words
        return None

    def markers(self, question: Question, history: int) -> NDArray[np.int8]:
        """Earlier answers, a column for each turn, the last turn first."""
        marks = np.zeros((len(self.numbers), history), np.int8)
        turns = question.history[::-1][:history]
        for column, turn in enumerate(turns):
            words = self.find(turn.answer) if turn.answer else None
            if words is not None:
                first, last = words
                marks[first : last + 1, column] = Marker.INSIDE
                marks[last, column] = Marker.LAST
                marks[first, column] = Marker.FIRST
        return marks


def dialog_example(
    question: Question, section: SectionWords, table: TokenTable, history: int
) -> DialogExample:
    """A question about a section, with its labels if it has any."""
    gold = question.gold
    wanted = gold.given or (gold.answers[0] if gold.answers else None) if gold else None
    words = section.find(wanted) if wanted else None
    acts = gold.acts if gold else None
    asked = table.tokens(question.text).numbers
    return DialogExample(
        context=section.numbers,
        places=section.places,
        question=asked if len(asked) else np.array([table.number("?")], np.int32),
        starts=np.array([words[0]] if words else [], np.int32),
        ends=np.array([words[1]] if words else [], np.int32),
        group=section.document.text,
        markers=section.markers(question, history),
        turn=min(len(question.history), LAST_TURN),
        acts=(
            YES_NO.index(acts.yes_no) if acts and acts.yes_no else UNKNOWN_ACT,
            FOLLOW_UP.index(acts.follow_up) if acts and acts.follow_up else UNKNOWN_ACT,
        ),
    )


MARKER_SIZE = 10
"""Beside each word, for each earlier turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogBatch(TextBatch):
    """Questions within dialogs."""

    markers: Tensor
    """[texts, words, earlier turns]"""
    turns: Tensor
    """[texts]"""
    acts: Tensor
    """[texts, 2]"""


class DialogScores(NamedTuple):
    """Scores before any softmax."""

    start: Tensor
    """[texts, words]"""
    end: Tensor
    end_states: Tensor
    """[texts, words, size]: what the scores of the end come from."""


class DialogNetwork(nn.Module):
    """Start, end, and the acts from the state at the end."""

    def __init__(
        self, recipe: DialogRecipe, vectors: Tensor, encoder: PieceEncoder | None = None
    ) -> None:
        super().__init__()
        hidden, dropout, extra = recipe.hidden, recipe.dropout, MARKER_SIZE * recipe.history
        self.act_weight = recipe.act_weight
        self.markers = nn.ModuleList(
            nn.Embedding(len(Marker), MARKER_SIZE) for _ in range(recipe.history)
        )
        self.turns = nn.Embedding(LAST_TURN + 1, extra) if extra else None
        self.body = ReadingBody(recipe, vectors, encoder, extra)
        size = self.body.size
        self.start = StackedPointer(size, 0, hidden, dropout)
        self.end = StackedPointer(size, self.start.size, hidden, dropout)
        self.yes_no = nn.Linear(self.end.size, len(YES_NO))
        self.follow_up = nn.Linear(self.end.size, len(FOLLOW_UP))

    def forward(self, batch: DialogBatch) -> DialogScores:
        lengths, allowed = batch.read_lengths, batch.paragraphs != NOWHERE
        states = self.body(batch, *self._beside(batch))  # [texts, words, size]
        start_states, start = self.start(states, None, lengths, allowed)
        end_states, end = self.end(states, start_states, lengths, allowed)
        return DialogScores(start, end, end_states)

    def _beside(self, batch: DialogBatch) -> tuple[Tensor | None, Tensor | None]:
        """The features beside the words of section and question: markers, and the turn's number."""
        if self.turns is None:
            return None, None
        marked = [
            few_vectors(marker, batch.markers[:, :, turn])
            for turn, marker in enumerate(self.markers)
        ]
        turn = self.turns(batch.turns)[:, None]  # [texts, 1, extra]
        return torch.cat(marked, 2), turn.expand(-1, batch.question.shape[1], -1)

    def acts(self, end_states: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of yes/no and of follow-up, each [texts, 3], for answers that end there."""
        at = end_states[torch.arange(len(ends), device=ends.device), ends]  # [texts, size]
        return self.yes_no(at).float(), self.follow_up(at).float()

    def loss(self, batch: DialogBatch) -> Tensor:
        """Of start and end, and of the acts that are known."""
        scores = self(batch)
        loss = pointer_loss(scores.start, batch.starts) + pointer_loss(scores.end, batch.ends)
        acts = self.acts(scores.end_states, batch.ends.int().argmax(1))
        for number, given in enumerate(acts):
            wanted = batch.acts[:, number].masked_fill(~batch.ends.any(1), UNKNOWN_ACT)
            if self.act_weight and bool((wanted != UNKNOWN_ACT).any()):
                loss = loss + self.act_weight * nn.functional.cross_entropy(given, wanted)
        return loss


def dialog_batch(examples: Sequence[DialogExample], tokens: TokenArrays) -> DialogBatch:
    """Several examples as tensors."""
    markers = padded([example.markers for example in examples], Marker.OUTSIDE)
    return DialogBatch(
        **text_part(examples, tokens),
        markers=torch.from_numpy(markers).long(),
        turns=torch.tensor([example.turn for example in examples]),
        acts=torch.tensor([example.acts for example in examples]),
    )


DIALOGS, ACTS = TRAIN["quac"], TRAIN["quac_acts"]
"""All dialogs, and the file that knows their acts; officially these are one."""
LONGEST_ANSWER = 30
"""Words."""


@dataclass(slots=True)
class DialogTask:
    """QuAC by a recipe. The section that was read last is kept: its questions follow each other."""

    recipe: DialogRecipe
    _section: tuple[TokenTable, SectionWords] | None = field(default=None, init=False)

    def files(self, data: Path) -> list[Path]:
        whole, acts = DIALOGS.find(data), ACTS.find_optional(data)
        return [whole] if acts in (None, whole) else [whole, acts]

    def questions(self, data: Path) -> Iterator[Question]:
        files = (DIALOGS, ACTS)[: len(self.files(data))]
        for file in reversed(files):  # the few that know acts come first, whatever is left out
            yield from read(file, data)

    def trainable(self, question: Question, table: TokenTable) -> DialogExample | None:
        if question.context is None or question.gold is None:
            return None
        example = self.example(question, table, self.recipe.longest)
        return example if len(example.starts) else None

    def example(self, question: Question, table: TokenTable, longest: int) -> DialogExample:
        document = question.context
        if document is None:
            raise LacunaError(
                f"Question {question.id!r} comes with no section to read, and this system answers "
                "from a section alone. Give a file of QuAC."
            )
        kept = self._section
        if kept is None or kept[0] is not table or kept[1].document is not document:
            kept = self._section = table, SectionWords.of(document, table, longest)
        return dialog_example(question, kept[1], table, self.recipe.history)

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> DialogNetwork:
        return DialogNetwork(self.recipe, vectors, encoder)

    def batch(self, examples: Sequence[DialogExample], tokens: TokenArrays) -> DialogBatch:
        return dialog_batch(examples, tokens)

    def predictions(
        self,
        network: DialogNetwork,
        batch: DialogBatch,
        questions: Sequence[Question],
        examples: Sequence[DialogExample],
    ) -> list[Prediction]:
        """The most likely span, or no answer; and the acts where it ends."""
        scores: DialogScores = network(batch)
        first, last, likely = best_spans(scores.start, scores.end, batch.paragraphs, LONGEST_ANSWER)
        yes_no, follow_up = (
            part.argmax(1).tolist() for part in network.acts(scores.end_states, last)
        )
        rows = zip(questions, examples, first.tolist(), last.tolist(), strict=True)
        return [
            Prediction(
                _answer(question, example, begin, end),
                acts=DialogActs(YES_NO[yes_no[row]], FOLLOW_UP[follow_up[row]]),
                confidence=float(likely[row]),
            )
            for row, (question, example, begin, end) in enumerate(rows)
        ]


def _answer(question: Question, example: DialogExample, first: int, last: int) -> Answer:
    part, start, _ = example.places[first].tolist()
    if part == NO_ANSWER:
        return Answer.none()
    assert question.context is not None
    end = int(example.places[last, 2])
    where = Evidence(question.context.title, start, end, Role.ANSWER)
    return Answer.span(question.context.text[start:end], where)
