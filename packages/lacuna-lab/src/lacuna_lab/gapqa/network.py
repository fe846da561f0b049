"""GapQA's network: an encoder of rows, the heads over it, and its losses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, one_hot
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lacuna.errors import LacunaError
from lacuna.files.opening import open_text
from lacuna.models.gapqa.gapqa_reader import Shown
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part, Row
from lacuna.models.reader.decode import Columns
from lacuna.text import words
from lacuna_lab.gapqa.recipe import NONE_OF_THEM, GapRecipe
from lacuna_lab.gapqa.recipe import UNKNOWN as UNKNOWN_RELATION
from lacuna_lab.papers.layers import same_dropout
from lacuna_lab.train.network import Network

PADDING, UNKNOWN = 0, 1
"""Word 0 pads, word 1 stands for those that have no vector, and for a text without words."""
FIRST_WORD = 2
WORD_ROWS = 2
"""Raised when rows of words change, so that older examples are made again."""


class Vocabulary:
    """Words and their numbers."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = list(known)
        self._numbers = {word: number for number, word in enumerate(known, FIRST_WORD)}

    def number(self, word: str) -> int:
        """The number of a word in lower case."""
        return self._numbers.get(word, UNKNOWN)

    def encode(self, text: str) -> list[int]:
        """The words of a text."""
        return [self.number(word) for word in words(text)] or [UNKNOWN]


class WordRows:
    """Rows of words, for an encoder that reads every text by itself."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._encode = vocabulary.encode

    def question_row(self, question: str, fact: str) -> Row:
        """The question and the fact."""
        return self._row((Part.QUESTION, question), (Part.FACT, fact))

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row:
        """The question, a choice, and the fact if there is one."""
        row = [(Part.QUESTION, question), (Part.CHOICE, choice)]
        return self._row(*row, *([] if fact is None else [(Part.FACT, fact)]))

    def knowledge_row(self, span: str, choice: str, line: str) -> Row:
        """The span, a choice, and a line of knowledge."""
        return self._row((Part.SPAN, span), (Part.CHOICE, choice), (Part.KNOWLEDGE, line))

    def _row(self, *texts: tuple[Part, str]) -> Row:
        return Row.joined([(part, self._encode(text)) for part, text in texts])


def read_vectors(path: Path) -> tuple[Vocabulary, NDArray[np.float32]]:
    """The words of a file and their vectors.

    Their mean is subtracted from each: it carries no meaning, and would make any two words alike.
    The first rows, of padding and of unknown words, are zeros.
    """
    known: list[str] = []
    vectors: list[NDArray[np.float32]] = []
    with open_text(path) as source:
        for number, line in enumerate(source.text, 1):
            word, _, rest = line.rstrip("\n").partition(" ")
            if number == 1 and rest.isdigit():
                continue  # word2vec's first line: how many there are, of which size
            try:
                vector = np.array(rest.split(" "), np.float32)
            except ValueError:
                raise _broken(path, number) from None
            if vectors and len(vector) != len(vectors[0]):
                raise _broken(path, number)
            known.append(word)
            vectors.append(vector)
    if not vectors:
        raise LacunaError(f"{path} has no vector of any word. Is it GloVe's file?")
    table = np.stack(vectors)
    own = np.zeros((FIRST_WORD, table.shape[1]), np.float32)
    return Vocabulary(known), np.concatenate([own, table - table.mean(0)])


def _broken(path: Path, line: int) -> LacunaError:
    return LacunaError(
        f"{path}, line {line}: expected a word and its numbers with single spaces between, as many "
        "as in the lines before. Give a file of word vectors in GloVe's format."
    )


# Two encoders under the same heads: a transformer over whole rows, and the paper's BiLSTM.
#
# The transformer reads a row's texts together. The BiLSTM reads each text of a row by itself, as
# in the paper: texts are cut out of the rows, encoded, and put back.


DIRECTION_SIZE = 100
VARIATIONAL_DROPOUT = 0.2


class RowEncoder(Protocol):
    """States for every token of some rows."""

    size: int
    scaled: bool
    blocks: int
    """Blocks of similar length into which a batch's knowledge is cut, to pad little."""

    def __call__(self, ids: Tensor, parts: Tensor) -> Tensor: ...

    def parameters(self) -> Iterator[nn.Parameter]: ...

    def span_scores(self, states: Tensor) -> Tensor | None:
        """Scores of first and last tokens, [rows, tokens, 2], if it finds spans."""
        ...


class TransformerRows(nn.Module):
    """The reader's own network: its states, and its scores for where a span begins and ends."""

    scaled = True
    blocks = 3

    def __init__(self, reader: Network) -> None:
        super().__init__()
        self.reader = reader
        self.size = int(reader.encoder.config.hidden_size)

    def forward(self, ids: Tensor, parts: Tensor) -> Tensor:
        mask = (parts > Part.PADDING).long()
        return self.reader.dropout(self.reader.states(ids, torch.zeros_like(ids), mask))

    def span_scores(self, states: Tensor) -> Tensor:
        """The reader's start and end columns."""
        return self.reader.per_token(states)[:, :, Columns.START : Columns.END + 1]


class BiLstmRows(nn.Module):
    """Fixed word vectors, and one BiLSTM for all texts; word 0 is padding."""

    scaled = False
    blocks = 1  # it does not read what pads a row
    size = 2 * DIRECTION_SIZE

    def __init__(self, vectors: Tensor) -> None:
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors, freeze=True, padding_idx=0)
        self.lstm = nn.LSTM(vectors.shape[1], DIRECTION_SIZE, bidirectional=True, batch_first=True)

    def forward(self, ids: Tensor, parts: Tensor) -> Tensor:
        places, lengths = texts_of(parts)  # [texts, longest], [texts]
        flat = ids.reshape(-1)
        inside = places >= 0
        words = self.vectors(flat[places.clamp(min=0)] * inside)
        words = same_dropout(words, VARIATIONAL_DROPOUT, training=self.training)
        packed = pack_padded_sequence(words, lengths.cpu(), batch_first=True, enforce_sorted=False)
        encoded, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        encoded = same_dropout(encoded, VARIATIONAL_DROPOUT, training=self.training)
        states = encoded.new_zeros(flat.shape[0], self.size)
        states = states.index_put((places[inside],), encoded[inside])
        return states.reshape(*ids.shape, self.size)

    def span_scores(self, states: Tensor) -> None:
        """None: a question and a fact that are read separately do not show where the span is."""


def texts_of(parts: Tensor) -> tuple[Tensor, Tensor]:
    """The places of the texts of rows: positions in the flattened rows, -1 after a text's end.

    A text is a run of tokens of one part.
    """
    rows, tokens = parts.shape
    before = torch.cat([torch.zeros_like(parts[:, :1]), parts[:, :-1]], 1)
    begins = ((parts != before) & (parts > Part.PADDING)).reshape(-1)
    number = begins.cumsum(0) - 1
    inside = (parts > Part.PADDING).reshape(-1)
    place = torch.arange(rows * tokens, device=parts.device)
    starts = place[begins]
    own, within = number[inside], place[inside] - starts[number[inside]]
    lengths = torch.bincount(own, minlength=len(starts))
    texts = torch.full((len(starts), int(lengths.max())), -1, device=parts.device)
    texts[own, within] = place[inside]
    return texts, lengths


HIDDEN = 200
RELATION = 100
"""Units of a feed-forward network's first layer, and of a relation's representation."""
DROPOUT = 0.5
NOTHING = -1e4
"""The score of what is masked; as low as half precision allows."""

MaskedStates = tuple[Tensor, Tensor]
"""The states of a row, [rows, tokens, size], and the mask of one of its parts, [rows, tokens]."""


def weighted(
    seen: Tensor, seen_mask: Tensor, read: Tensor, read_mask: Tensor, scale: float
) -> Tensor:
    """The mean of ``read``, its tokens weighted by how close they are to a token of ``seen``.

    States are [rows, tokens, size], masks [rows, tokens]; the two may be the same row's.
    """
    likeness = torch.matmul(read, seen.transpose(1, 2)) * scale  # [rows, read tokens, seen tokens]
    likeness = likeness.masked_fill(~seen_mask[:, None, :], NOTHING)
    # Lower still, so that nothing else is read where nothing at all is seen.
    closest = likeness.amax(2).masked_fill(~read_mask, 2 * NOTHING)  # [rows, read tokens]
    return torch.matmul(closest.softmax(1)[:, None, :], read)[:, 0]  # [rows, size]


def compared(first: Tensor, second: Tensor) -> Tensor:
    """Two vectors as one that tells how they differ: [x - y; x * y]."""
    return torch.cat([first - second, first * second], -1)


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of a row's own tokens."""
    share = mask.to(states.dtype)[:, :, None]
    return (states * share).sum(1) / share.sum(1).clamp(min=1)


def largest(states: Tensor, mask: Tensor) -> Tensor:
    """The largest value in each dimension among a row's own tokens."""
    return states.masked_fill(~mask[:, :, None], NOTHING).amax(1)


def two_layers(size: int, out: int) -> nn.Sequential:
    """The paper's feed-forward network."""
    return nn.Sequential(
        nn.Linear(size, HIDDEN), nn.ReLU(), nn.Dropout(DROPOUT), nn.Linear(HIDDEN, out)
    )


class Features(NamedTuple):
    """The input of the heads for a batch: all that depends on the encoder, and nothing of the
    heads.

    ``fact`` is [choices, 2 * size], ``composable`` [questions, 2 * size], ``lines`` [rows of
    knowledge, 2 * size]; ``asked`` says which question each choice belongs to, ``choice_of`` which
    choice each row of knowledge belongs to.
    """

    fact: Tensor
    composable: Tensor
    lines: Tensor
    asked: Tensor
    choice_of: Tensor


class GapScores(NamedTuple):
    """The network's scores.

    ``fact`` and ``relation`` are the two scores of each choice, [choices]; ``relations`` the
    relations of each choice and ``lines`` those of each row of knowledge, before the sigmoid.
    """

    fact: Tensor
    relation: Tensor
    relations: Tensor
    lines: Tensor

    @property
    def choices(self) -> Tensor:
        """The final score of each choice."""
        return self.fact + self.relation


class GapHeads(nn.Module):
    """Fact relevance and relation prediction over states of that size."""

    def __init__(self, size: int, relations: int) -> None:
        super().__init__()
        self.fact = two_layers(2 * size, 1)
        self.relation = two_layers(2 * size, RELATION)
        self.relation_names = nn.Linear(RELATION, relations)
        self.composed = two_layers(2 * size + RELATION, 1)

    def forward(self, seen: Features, *, knowledge: bool) -> GapScores:
        """Score the choices of a batch; without knowledge by the fact alone."""
        stated, choices = self.relation(seen.lines), len(seen.fact)  # [rows, relation]
        pooled = stated.new_zeros(choices, RELATION).index_add(0, seen.choice_of, stated)
        lines = torch.bincount(seen.choice_of, minlength=choices).clamp(min=1)
        pooled = pooled / lines[:, None].to(pooled.dtype)
        scores = self.score(seen.fact, seen.composable[seen.asked], pooled, stated)
        if not knowledge:
            scores = scores._replace(relation=torch.zeros_like(scores.fact))
        return scores

    def score(self, fact: Tensor, composable: Tensor, pooled: Tensor, stated: Tensor) -> GapScores:
        """The scores of choices; ``stated`` is what each line states, ``pooled`` the average of a
        choice's lines."""
        both = torch.cat([composable.to(pooled.dtype), pooled], -1)
        # Named together, since a layer that is used twice cannot be exported.
        named, choices = self.relation_names(torch.cat([pooled, stated])), pooled.shape[0]
        return GapScores(
            self.fact(fact)[:, 0], self.composed(both)[:, 0], named[:choices], named[choices:]
        )


def fact_features(
    question: MaskedStates, choice: MaskedStates, fact: MaskedStates, scale: float
) -> Tensor:
    """Features of how the fact connects the question and the choice: [rows, 2 * size]."""
    by_question, by_choice = weighted(*question, *fact, scale), weighted(*choice, *fact, scale)
    return compared((by_question + by_choice) / 2, mean(*fact))


def choice_features(question: MaskedStates, choice: MaskedStates, scale: float) -> Tensor:
    """For the baseline without a fact, how question and choice go together: [rows, 2 * size]."""
    by_choice = weighted(*choice, *question, scale)
    return compared(by_choice, weighted(*question, *choice, scale))


def line_features(
    span: MaskedStates, choice: MaskedStates, line: MaskedStates, scale: float
) -> Tensor:
    """Features of a line of knowledge about span and choice: [rows, 2 * size]."""
    return compared(weighted(*span, *line, scale), weighted(*choice, *line, scale))


def composable(question: MaskedStates, fact: MaskedStates) -> Tensor:
    """Features of what can be composed with the fact to answer the question: [rows, 2 * size]."""
    return compared(largest(*question), largest(*fact))


class Rows(NamedTuple):
    """Rows of a batch, [rows, tokens] each."""

    ids: Tensor
    parts: Tensor


class GapBatch(NamedTuple):
    """Some questions. Knowledge comes in blocks of rows of like length, to pad little.

    ``rows`` has a row for each question, then one for each choice. ``asked`` says which question
    each choice belongs to, ``choice_of`` which choice each row of knowledge (over all blocks)
    belongs to, ``order`` which line of the whole batch it is.
    """

    rows: Rows
    asked: Tensor
    knowledge: list[Rows]
    choice_of: Tensor
    order: Tensor

    @property
    def questions(self) -> Rows:
        """The rows of the questions."""
        size = len(self.rows.ids) - len(self.asked)
        return Rows(self.rows.ids[:size], self.rows.parts[:size])


class GapNetwork(nn.Module):
    """Scores of choices, relations and spans.

    Likenesses of a transformer's states are divided by the root of their size: the states are
    long, and a softmax over their plain products would see one token only.
    """

    def __init__(self, encoder: RowEncoder, shown: Shown) -> None:
        super().__init__()
        self.encoder = encoder
        self.shown = shown
        self.scale = 1 / math.sqrt(encoder.size) if encoder.scaled else 1.0
        self.heads = GapHeads(encoder.size, len(DIRECTIONS))

    def forward(self, batch: GapBatch) -> tuple[GapScores, Tensor | None]:
        """The scores of a batch, and where key spans begin and end: [questions, tokens, 2]."""
        features, spans = self.read(batch)
        return self.heads(features, knowledge=self.shown.knowledge), spans

    def read(self, batch: GapBatch) -> tuple[Features, Tensor | None]:
        """Compute the input of the heads for a batch, and the scores of key spans."""
        states, questions = self.encoder(*batch.rows), len(batch.questions.ids)
        asked = states[:questions]
        rows = Rows(batch.rows.ids[questions:], batch.rows.parts[questions:])
        of_choices = self.fact(states[questions:], rows)
        lines = [self.line(self.encoder(*block), block) for block in batch.knowledge]
        features = Features(
            of_choices,
            self.composable(asked, batch.questions),
            torch.cat(lines) if lines else of_choices[:0],
            batch.asked,
            batch.choice_of,
        )
        return features, self.encoder.span_scores(asked)

    def composable(self, states: Tensor, questions: Rows) -> Tensor:
        """The input of the heads for questions beside their fact, by the states of their rows."""
        question, fact = (_part(states, questions, part) for part in (Part.QUESTION, Part.FACT))
        return composable(question, fact)

    def spans(self, questions: Rows) -> Tensor | None:
        """The scores of the key span's beginning and end, and nothing else."""
        return self.encoder.span_scores(self.encoder(*questions))

    def fact(self, states: Tensor, choices: Rows) -> Tensor:
        """The input of the heads for choices beside the fact, by the states of their rows."""
        question, choice = (_part(states, choices, part) for part in (Part.QUESTION, Part.CHOICE))
        if not self.shown.fact:
            return choice_features(question, choice, self.scale)
        return fact_features(question, choice, _part(states, choices, Part.FACT), self.scale)

    def line(self, states: Tensor, rows: Rows) -> Tensor:
        """The input of the heads for lines of knowledge, by the states of their rows."""
        span, choice = (_part(states, rows, part) for part in (Part.SPAN, Part.CHOICE))
        return line_features(span, choice, _part(states, rows, Part.KNOWLEDGE), self.scale)


def _part(states: Tensor, rows: Rows, part: Part) -> MaskedStates:
    return states, rows.parts == part


class Targets(NamedTuple):
    """Labels of a batch.

    ``right`` are the right choices as places among all choices of the batch, [questions];
    ``relations`` the relations of the right choice, [questions, relations], all zeros where none
    is known; ``spans`` first and last token of the key span, [questions, 2], -1 where not known;
    ``lines`` what each row of knowledge says, [rows], as ``line_labels``.
    """

    right: Tensor
    relations: Tensor
    spans: Tensor
    lines: Tensor


def answer_loss(recipe: GapRecipe, scores: GapScores, asked: Tensor, targets: Targets) -> Tensor:
    """The paper's loss, and besides it that of single lines."""
    relations = recipe.relation_weight * relation_loss(scores, asked, targets)
    lines = recipe.line_weight * line_loss(scores, targets)
    return choice_loss(scores, asked, targets) + relations + lines


def choice_loss(scores: GapScores, asked: Tensor, targets: Targets) -> Tensor:
    """Cross-entropy over the choices of each question."""
    questions = len(targets.right)
    others = torch.arange(questions, device=asked.device)[:, None] == asked[None, :]
    table = scores.choices[None, :].float().masked_fill(~others, NOTHING)  # [questions, choices]
    return cross_entropy(table, targets.right)


def relation_loss(scores: GapScores, asked: Tensor, targets: Targets) -> Tensor:
    """The right choice has its relations and no others; the wrong ones do not have these.

    Which other relations a wrong choice has is not known, so these do not count.
    """
    labels = targets.relations[asked]  # [choices, relations]
    known = labels.any(1)
    is_right = torch.zeros_like(asked, dtype=torch.bool)
    is_right[targets.right] = True
    wanted = labels * is_right[:, None]
    counts = known[:, None] * torch.where(is_right[:, None], torch.ones_like(labels), labels)
    each = binary_cross_entropy_with_logits(scores.relations.float(), wanted, reduction="none")
    of_choice = (each * counts).sum(1) / counts.sum(1).clamp(min=1)  # a mean over what is known
    return of_choice.sum() / (known & is_right).sum().clamp(min=1)


def line_loss(scores: GapScores, targets: Targets) -> Tensor:
    """A line that is a triple says its own relation, and no other."""
    known = targets.lines != UNKNOWN_RELATION
    if not known.any():
        return scores.fact.new_zeros(())
    wanted = one_hot(targets.lines[known], NONE_OF_THEM + 1)[:, :NONE_OF_THEM].float()
    return binary_cross_entropy_with_logits(scores.lines[known].float(), wanted)


def span_loss(spans: Tensor | None, questions: Rows, targets: Targets) -> Tensor:
    """Cross-entropy of where the key span begins and ends in the fact."""
    if spans is None or not (targets.spans >= 0).any():
        return torch.zeros((), device=targets.spans.device)
    allowed = (questions.parts == Part.FACT)[:, :, None]
    table = spans.float().masked_fill(~allowed, NOTHING)  # [questions, tokens, 2]
    return cross_entropy(table, targets.spans, ignore_index=-1)
