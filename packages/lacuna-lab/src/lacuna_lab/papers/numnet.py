"""NumNet+ with heads for yes, no and no answer (section 3.2.3 of IIRC's paper)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lacuna.quantities.arithmetic import HUNDRED, calculate, written
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Prediction, Question, Role
from lacuna_lab.papers.encoded import PieceBatch, PieceExample, PieceInput, piece_input, piece_part
from lacuna_lab.papers.iirc import WINDOW_START, NumNetRecipe, context_questions, reading_files
from lacuna_lab.papers.layers import LOWEST, BiGru, best_spans
from lacuna_lab.papers.words import NOWHERE, Ints, PieceEncoder, PieceTokenizer, padded
from lacuna_lab.train.instances import derivations, evidence_regions, occurrences
from lacuna_lab.train.network import SURE_OF_OUTSIDE


class AnswerWay(IntEnum):
    """Numbered as the network's scores are."""

    SPAN = 0
    QUESTION_SPAN = 1
    SPANS = 2
    COUNT = 3
    ARITHMETIC = 4
    BINARY = 5
    NONE = 6


COUNTS = 10
"""From none to nine things can be counted."""
SIGNS = (0, 1, -1)
"""The meanings of a number's three scores: left out, added, subtracted."""
OUTSIDE, BEGINS, INSIDE = range(3)
"""The meanings of a piece's three scores, where an answer has several spans."""
BINARY = ("yes", "no")
"""The meanings of the binary head's two scores."""
UNKNOWN = -1
"""The label of a way that does not give the answer."""


RELATIONS = 8
"""Greater or not, times whether each of the two numbers stands in the question or in a text."""


def comparisons(values: Tensor, asked: Tensor, mask: Tensor) -> Tensor:
    """The comparisons of each number with each other: [texts, relations, numbers, numbers].

    All given are [texts, numbers]; ``asked`` marks numbers of the question.
    """
    greater = values[:, :, None] > values[:, None, :]  # [texts, numbers, numbers]
    relation = 4 * (~greater).long() + 2 * asked[:, :, None].long() + asked[:, None, :].long()
    among = mask[:, :, None] & mask[:, None, :]
    among = among & ~torch.eye(values.shape[1], dtype=torch.bool, device=values.device)
    kinds = torch.arange(RELATIONS, device=values.device)
    return ((relation[:, None] == kinds[:, None, None]) & among[:, None]).float()


class NumberGraph(nn.Module):
    """So many steps of messages; each number is weighed by how much it matters to the question."""

    def __init__(self, size: int, steps: int) -> None:
        super().__init__()
        self.steps = steps
        self.weight = nn.Linear(size, 1)
        self.itself = nn.Linear(size, size)
        self.messages = nn.Linear(size, RELATIONS * size, bias=False)

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        """Nodes [texts, numbers, size] and ``comparisons`` to nodes of the same shape."""
        texts, numbers, size = nodes.shape
        neighbours = edges.sum((1, 3)).clamp(min=1)[:, :, None]  # [texts, numbers, 1]
        for _ in range(self.steps):
            matters = self.weight(nodes).sigmoid()  # [texts, numbers, 1]
            sent = self.messages(nodes).view(texts, numbers, RELATIONS, size)
            sent = sent * matters[:, :, None]
            received = torch.einsum("trij,tjrs->tis", edges, sent) / neighbours
            nodes = (self.itself(nodes) + received).relu()
        return nodes


MOST_NUMBERS = 80
"""Numbers of an input; those of its end are left out."""
QUESTION = 0
"""The part that is the question; texts are numbered from 1."""


@dataclass(frozen=True, slots=True)
class NumberedInput:
    """Pieces, and the numbers among them: the implicit hundred, those of texts, the question's."""

    question: str
    documents: tuple[Document, ...]
    made: PieceInput
    parts: Ints
    """[pieces]: 0 for the question, then the texts; -1 for special pieces."""
    quantities: tuple[Quantity, ...]
    """The hundred and the numbers of texts: what can be added and subtracted."""
    number_places: Ints
    """[numbers]: the first piece of each, those of the question last."""
    number_values: NDArray[np.float32]
    """[numbers]"""

    def span(self, first: int, last: int) -> tuple[str, Evidence | None]:
        """The text of the pieces from one to another, and its place."""
        part = int(self.parts[first])
        if part == QUESTION:
            tokens, offset = self.made.question, 1
        else:
            tokens, offset = self.made.texts[part - 1], self.made.firsts[part - 1]
        start, end = int(tokens.starts[first - offset]), int(tokens.ends[last - offset])
        if part == QUESTION:
            return self.question[start:end], None
        document = self.documents[part - 1]
        moved = document.extra.get(WINDOW_START, 0)
        where = Evidence(document.title, start + moved, end + moved, Role.ANSWER)
        return document.text[start:end], where


def numbered_input(question: Question, tokenizer: PieceTokenizer, longest: int) -> NumberedInput:
    """The linked texts first, then the passage: if anything is cut off, it is cut off there."""
    documents = (*question.documents, *((question.context,) if question.context else ()))
    texts = [document.text for document in documents]
    made = piece_input(question.text, texts, tokenizer, longest)
    parts = np.full(len(made.ids), NOWHERE, np.int32)
    parts[1 : 1 + len(made.question.ids)] = QUESTION
    quantities, places = [HUNDRED], [0]
    for number, document in enumerate(documents):
        first = made.firsts[number]
        parts[first : first + made.kept[number]] = number + 1
        for quantity in find_quantities(document.text):
            cover = made.cover(number, quantity.start, quantity.end)
            if cover is not None and len(quantities) < MOST_NUMBERS:
                quantities.append(quantity)
                places.append(cover[0])
    values = [quantity.value for quantity in quantities]
    for quantity in find_quantities(question.text):
        if (cover := made.cover_question(quantity.start, quantity.end)) is not None:
            places.append(cover[0])
            values.append(quantity.value)
    return NumberedInput(
        question.text,
        documents,
        made,
        parts,
        tuple(quantities),
        np.array(places, np.int32),
        np.array(values, np.float32),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NumNetExample(PieceExample):
    """Labels are empty, or unknown, for ways that do not give the answer."""

    read: NumberedInput
    spans: Ints
    """[spans, 2]: first and last pieces in texts, and in the question."""
    tags: Ints
    """[pieces] where the answer has several spans, else empty."""
    signs: Ints
    """[calculations, numbers of texts]: a number's place in SIGNS."""
    count: int
    binary: int
    none: bool

    @property
    def is_labelled(self) -> bool:
        """True if there is any way to the answer."""
        found = len(self.spans) or len(self.tags) or len(self.signs)
        return bool(found) or self.none or max(self.count, self.binary) != UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class NumNetBatch(PieceBatch):
    """Questions with texts, numbers and labels. Lengths stay on the CPU."""

    piece_lengths: Tensor
    """[texts]"""
    parts: Tensor
    """[texts, pieces]: 0 for the question, then the texts; -1 for special pieces and padding."""
    number_places: Tensor
    """[texts, numbers]"""
    number_values: Tensor
    number_mask: Tensor
    asked_numbers: Tensor
    """[texts, numbers], True for numbers of the question."""
    spans: Tensor
    """[texts, spans, 2]"""
    span_mask: Tensor
    """[texts, spans]"""
    tags: Tensor
    """[texts, pieces]"""
    has_tags: Tensor
    """[texts]"""
    signs: Tensor
    """[texts, calculations, numbers]"""
    sign_mask: Tensor
    """[texts, calculations]"""
    counts: Tensor
    """[texts]"""
    binary: Tensor
    """[texts]"""
    none: Tensor
    """[texts]"""


def numnet_batch(examples: Sequence[NumNetExample], pad: int) -> NumNetBatch:
    """Several examples as tensors."""
    pieces = piece_part(examples, pad)
    texts, length = pieces["ids"].shape
    reads = [example.read for example in examples]
    numbers = max(len(read.number_places) for read in reads)
    added = [len(read.quantities) for read in reads]
    ways = _most(example.signs for example in examples)
    signs = np.zeros((texts, ways, numbers), np.int64)
    tags = np.zeros((texts, length), np.int64)
    for row, example in enumerate(examples):
        known, own = example.signs.shape
        signs[row, :known, :own] = example.signs
        tags[row, : len(example.tags)] = example.tags
    real = _filled([len(read.number_places) for read in reads], numbers)
    spans = np.zeros((texts, _most(example.spans for example in examples), 2), np.int64)
    for row, example in enumerate(examples):
        spans[row, : len(example.spans)] = example.spans
    arrays = {
        "piece_lengths": np.array([example.length for example in examples]),
        "parts": padded([read.parts for read in reads], NOWHERE),
        "number_places": padded([read.number_places for read in reads], 0).astype(np.int64),
        "number_values": padded([read.number_values for read in reads], 0),
        "number_mask": real,
        "asked_numbers": real & ~_filled(added, numbers),
        "spans": spans,
        "span_mask": _filled([len(example.spans) for example in examples], spans.shape[1]),
        "tags": tags,
        "has_tags": np.array([len(example.tags) > 0 for example in examples]),
        "signs": signs,
        "sign_mask": _filled([len(example.signs) for example in examples], signs.shape[1]),
        "counts": np.array([example.count for example in examples]),
        "binary": np.array([example.binary for example in examples]),
        "none": np.array([example.none for example in examples]),
    }
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return NumNetBatch(**pieces, **tensors)


def _most(rows: Iterable[Ints]) -> int:
    """The most of something that any example has, but at least one place for it."""
    return max(1, *map(len, rows))


def _filled(counts: Sequence[int], width: int) -> NDArray[np.bool_]:
    """[rows, width], True for the first so many of each row."""
    return np.arange(width)[None, :] < np.array(counts)[:, None]


Places = list[tuple[int, int]]
MOST_SPANS, MOST_CALCULATIONS = 12, 12


def numnet_example(question: Question, tokenizer: PieceTokenizer, longest: int) -> NumNetExample:
    """A question with what annotators said of it, as far as the input allows it."""
    read = numbered_input(question, tokenizer, longest)
    gold = question.gold or Gold()
    kinds = {answer.kind for answer in gold.answers}
    binary = next((n for n, name in enumerate(BINARY) if AnswerKind(name) in kinds), UNKNOWN)
    return NumNetExample(
        ids=read.made.ids,
        group=question.context.text if question.context else question.id,
        read=read,
        spans=np.array(_spans(read, gold), np.int32).reshape(-1, 2),
        tags=_tags(read, gold.answers),
        signs=_signs(read, gold.answers),
        count=_count(gold.answers),
        binary=binary,
        none=AnswerKind.NONE in kinds,
    )


def _spans(read: NumberedInput, gold: Gold) -> Places:
    texts = [answer.texts[0] for answer in gold.answers if _is_one_text(answer)]
    regions = list(evidence_regions(read.documents, gold))
    found = [(number, span) for text in texts for number, span in _occurrences(read, text)]
    cited = [
        (number, span)
        for number, span in found
        if any(n == number and r.start <= span[0] and span[1] <= r.end for n, r in regions)
    ]
    places = [read.made.cover(number, *span) for number, span in cited or found]
    asked = (span for text in texts for span in occurrences(read.question, text))
    places += [read.made.cover_question(*span) for span in asked]
    return [place for place in dict.fromkeys(places) if place is not None][:MOST_SPANS]


def _is_one_text(answer: Answer) -> bool:
    return answer.kind in (AnswerKind.SPAN, AnswerKind.NUMBER)


def _occurrences(read: NumberedInput, text: str) -> Iterator[tuple[int, tuple[int, int]]]:
    for number, document in enumerate(read.documents):
        for span in occurrences(document.text, text):
            yield number, (span.start, span.end)


def _tags(read: NumberedInput, answers: Iterable[Answer]) -> Ints:
    """Each piece outside, at the begin of or inside a span, if all spans of an answer are there."""
    none = np.zeros(0, np.int32)
    for answer in answers:
        if answer.kind is not AnswerKind.SPANS:
            continue
        tags = np.zeros(len(read.made.ids), np.int32)
        for text in answer.texts:
            covers = (read.made.cover(n, *span) for n, span in _occurrences(read, text))
            places = [cover for cover in covers if cover is not None]
            if not places:
                return none
            for first, last in places:
                tags[first], tags[first + 1 : last + 1] = BEGINS, INSIDE
        return tags
    return none


def _signs(read: NumberedInput, answers: Iterable[Answer]) -> Ints:
    """[calculations, numbers of texts]"""
    rows = []
    for answer in answers:
        if answer.kind is AnswerKind.NUMBER and answer.value is not None:
            for terms in derivations(answer.value, read.quantities, read.question):
                row = np.zeros(len(read.quantities), np.int32)
                for number, sign in terms:
                    row[number] = SIGNS.index(sign)
                rows.append(row)
    return np.array(rows[:MOST_CALCULATIONS], np.int32).reshape(-1, len(read.quantities))


def _count(answers: Iterable[Answer]) -> int:
    for answer in answers:
        value = answer.value
        if answer.kind is AnswerKind.NUMBER and value is not None and value in range(COUNTS):
            return int(value)
    return UNKNOWN


IMPOSSIBLE = -1e7
"""The logarithm of a chance that is none, with a gradient of zero and no NaN."""


def answer_likelihood(scores: NumNetScores, batch: NumNetBatch) -> Tensor:
    """The logarithm of the chance of the gold answer: [texts]."""
    ways = scores.ways.log_softmax(1)
    by_way = torch.full_like(ways, IMPOSSIBLE)
    in_question = batch.parts.gather(1, batch.spans[:, :, 0]) == QUESTION  # [texts, spans]
    by_way[:, AnswerWay.SPAN] = _spans_likelihood(
        scores.start, scores.end, batch.spans, batch.span_mask & ~in_question
    )
    by_way[:, AnswerWay.QUESTION_SPAN] = _spans_likelihood(
        scores.asked_start, scores.asked_end, batch.spans, batch.span_mask & in_question
    )
    by_way[:, AnswerWay.SPANS] = _tags_likelihood(scores.tags, batch)
    by_way[:, AnswerWay.COUNT] = _labelled(scores.counts, batch.counts)
    by_way[:, AnswerWay.ARITHMETIC] = _signs_likelihood(scores.signs, batch)
    by_way[:, AnswerWay.BINARY] = _labelled(scores.binary, batch.binary)
    by_way[:, AnswerWay.NONE] = torch.where(batch.none, 0.0, IMPOSSIBLE)
    return (ways + by_way).logsumexp(1)


def _spans_likelihood(start: Tensor, end: Tensor, spans: Tensor, mask: Tensor) -> Tensor:
    """Any of the spans: [texts]."""
    begins = start.log_softmax(1).gather(1, spans[:, :, 0])  # [texts, spans]
    ends = end.log_softmax(1).gather(1, spans[:, :, 1])
    return (begins + ends).masked_fill(~mask, IMPOSSIBLE).logsumexp(1)


def _tags_likelihood(tags: Tensor, batch: NumNetBatch) -> Tensor:
    """All pieces of texts have their tags: [texts]."""
    each = tags.log_softmax(2).gather(2, batch.tags[:, :, None]).squeeze(2)  # [texts, pieces]
    likely = (each * (batch.parts > QUESTION)).sum(1)
    return likely.masked_fill(~batch.has_tags, IMPOSSIBLE)


def _signs_likelihood(signs: Tensor, batch: NumNetBatch) -> Tensor:
    """Any of the calculations, all numbers of texts with their signs: [texts]."""
    log = signs.log_softmax(2)  # [texts, numbers, 3]
    ways = batch.signs.shape[1]
    wide = log[:, None].expand(-1, ways, -1, -1)
    each = wide.gather(3, batch.signs[:, :, :, None]).squeeze(3)  # [texts, calculations, numbers]
    added = (batch.number_mask & ~batch.asked_numbers)[:, None]
    likely = (each * added).sum(2)
    return likely.masked_fill(~batch.sign_mask, IMPOSSIBLE).logsumexp(1)


def _labelled(scores: Tensor, labels: Tensor) -> Tensor:
    """One of several: [texts]."""
    likely = scores.log_softmax(1).gather(1, labels.clamp(min=0)[:, None]).squeeze(1)
    return likely.masked_fill(labels == UNKNOWN, IMPOSSIBLE)


LAYERS = 4
"""The encoder's last layers; each head reads two of them."""
TAGS = 3


class NumNetScores(NamedTuple):
    """Scores before any softmax; what is impossible has the lowest."""

    ways: Tensor
    """[texts, ways]"""
    start: Tensor
    """[texts, pieces], in texts."""
    end: Tensor
    asked_start: Tensor
    """[texts, pieces], in the question."""
    asked_end: Tensor
    tags: Tensor
    """[texts, pieces, 3]"""
    counts: Tensor
    """[texts, 10]"""
    signs: Tensor
    """[texts, numbers, 3]"""
    binary: Tensor
    """[texts, 2]"""


class FeedForward(nn.Sequential):
    """Two layers with dropout between them."""

    def __init__(self, given: int, hidden: int, out: int, dropout: float) -> None:
        super().__init__(
            nn.Linear(given, hidden), nn.GELU(), nn.Dropout(dropout), nn.Linear(hidden, out)
        )


class NumNet(nn.Module):
    """Reads, lets numbers compare themselves, reads on, and answers in the likeliest way."""

    def __init__(self, recipe: NumNetRecipe, encoder: PieceEncoder) -> None:
        super().__init__()
        size, dropout = encoder.size, recipe.dropout
        self.encoder = encoder
        self.graph = NumberGraph(size, recipe.steps)
        self.before = nn.LayerNorm(size)
        self.rnn = BiGru(size, size // 2, dropout)
        self.after = nn.LayerNorm(size)
        self.of_texts = nn.Linear(size, 1)
        self.of_question = nn.Linear(size, 1)
        self.ways = FeedForward(3 * size, size, len(AnswerWay), dropout)
        self.counts = FeedForward(3 * size, size, COUNTS, dropout)
        self.binary = FeedForward(3 * size, size, len(BINARY), dropout)
        self.signs = FeedForward(5 * size, size, len(SIGNS), dropout)
        self.start = FeedForward(3 * size, size, 1, dropout)
        self.end = FeedForward(3 * size, size, 1, dropout)
        self.asked_start = FeedForward(3 * size, size, 1, dropout)
        self.asked_end = FeedForward(3 * size, size, 1, dropout)
        self.tags = FeedForward(2 * size, size, TAGS, dropout)
        with torch.no_grad():
            self.signs[-1].bias[SIGNS.index(0)] = SURE_OF_OUTSIDE
            self.tags[-1].bias[OUTSIDE] = SURE_OF_OUTSIDE

    def forward(self, batch: NumNetBatch) -> NumNetScores:
        in_texts, in_question = batch.parts > QUESTION, batch.parts == QUESTION
        first, second, main, last = self._states(batch)  # each [texts, pieces, size]
        texts = _summary(main, self.of_texts(main), in_texts)  # [texts, size]
        question = _summary(main, self.of_question(main), in_question)
        whole = torch.cat([texts, question, main[:, 0]], 1)  # [texts, 3 size]
        numbers = _at(torch.cat([main, last], 2), batch.number_places)
        about = whole[:, None].expand(-1, numbers.shape[1], -1)
        starts, ends = torch.cat([main, first], 2), torch.cat([main, second], 2)
        return NumNetScores(
            _possible(self.ways(whole), batch),
            _masked(self.start, starts, question, in_texts),
            _masked(self.end, ends, question, in_texts),
            _masked(self.asked_start, starts, texts, in_question),
            _masked(self.asked_end, ends, texts, in_question),
            self.tags(torch.cat([main, last], 2)),
            self.counts(whole),
            self.signs(torch.cat([numbers, about], 2)),
            self.binary(whole),
        )

    def loss(self, batch: NumNetBatch) -> Tensor:
        """The negative log-likelihood of the answer, by all ways to it together."""
        return -answer_likelihood(self(batch), batch).mean()

    def _states(self, batch: NumNetBatch) -> list[Tensor]:
        """The encoder's last layers, after numbers have told each other how they compare."""
        layers = self.encoder.layers(batch.ids, batch.mask, LAYERS)
        edges = comparisons(batch.number_values, batch.asked_numbers, batch.number_mask)
        nodes = self.graph(_at(layers[2], batch.number_places), edges)  # [texts, numbers, size]
        nodes = nodes * batch.number_mask[:, :, None]
        places = batch.number_places[:, :, None].expand_as(nodes)
        told = torch.zeros_like(layers[2]).scatter_add(1, places, nodes)
        # All layers go through one RNN, and together: it is slow to begin, not to be wide.
        states = self.before(torch.cat([layer + told for layer in layers]))
        read = self.rnn(states, batch.piece_lengths.repeat(LAYERS))
        return list(self.after(states + read).chunk(LAYERS))


def _at(states: Tensor, places: Tensor) -> Tensor:
    """The states at some pieces: [texts, places, size]."""
    return states.gather(1, places[:, :, None].expand(-1, -1, states.shape[2]))


def _summary(states: Tensor, scores: Tensor, mask: Tensor) -> Tensor:
    """The mean of some states, each as much as its score says; zeros of none: [texts, size]."""
    weights = scores.squeeze(2).masked_fill(~mask, LOWEST).softmax(1) * mask
    return torch.einsum("tp,tps->ts", weights, states)


def _masked(head: nn.Module, states: Tensor, summary: Tensor, mask: Tensor) -> Tensor:
    """A score for each piece that a span may have, the lowest for others: [texts, pieces]."""
    beside = summary[:, None].expand(-1, states.shape[1], -1)
    scores: Tensor = head(torch.cat([states, beside], 2)).squeeze(2)
    return scores.masked_fill(~mask, LOWEST)


def _possible(ways: Tensor, batch: NumNetBatch) -> Tensor:
    """Without a number or a text, some ways lead nowhere."""
    of_texts = batch.number_mask & ~batch.asked_numbers
    no_numbers = of_texts.sum(1) < 2  # the hundred alone
    no_texts = ~(batch.parts > QUESTION).any(1)
    impossible = torch.zeros_like(ways, dtype=torch.bool)
    impossible[:, AnswerWay.ARITHMETIC] = no_numbers
    impossible[:, AnswerWay.SPAN] = no_texts
    impossible[:, AnswerWay.SPANS] = no_texts
    return ways.masked_fill(impossible, LOWEST)


LONGEST_ANSWER = 30
"""Word pieces."""


class Decoder:
    """The answers of one batch: the likeliest way, and the likeliest answer by that way."""

    def __init__(self, scores: NumNetScores, batch: NumNetBatch) -> None:
        self._ways = scores.ways.softmax(1).tolist()
        self._spans = _listed(best_spans(scores.start, scores.end, batch.parts, LONGEST_ANSWER))
        self._asked = _listed(
            best_spans(scores.asked_start, scores.asked_end, batch.parts, LONGEST_ANSWER)
        )
        self._tags = scores.tags.argmax(2).tolist()
        self._counts = scores.counts.argmax(1).tolist()
        self._signs = scores.signs.log_softmax(2).tolist()
        self._binary = scores.binary.argmax(1).tolist()

    def prediction(self, row: int, read: NumberedInput) -> Prediction:
        """The prediction for one question."""
        likely = self._ways[row]
        way = AnswerWay(likely.index(max(likely)))
        return Prediction(self._answer(row, way, read), confidence=likely[way])

    def _answer(self, row: int, way: AnswerWay, read: NumberedInput) -> Answer:
        match way:
            case AnswerWay.NONE:
                return Answer.none()
            case AnswerWay.BINARY:
                return Answer(AnswerKind(BINARY[self._binary[row]]))
            case AnswerWay.COUNT:
                return Answer.number(self._counts[row])
            case AnswerWay.ARITHMETIC:
                return _calculated(read, self._signs[row])
            case AnswerWay.SPANS:
                places = list(tagged_spans(self._tags[row], read.parts.tolist()))
                return _best_spans(read, places or [self._spans[row]])
            case AnswerWay.QUESTION_SPAN:
                return _best_spans(read, [self._asked[row]])
        return _best_spans(read, [self._spans[row]])


def _listed(spans: tuple[Tensor, Tensor, Tensor]) -> list[tuple[int, int]]:
    first, last, _ = (part.tolist() for part in spans)
    return list(zip(first, last, strict=True))


def _best_spans(read: NumberedInput, places: Sequence[tuple[int, int]]) -> Answer:
    texts, found_at = zip(*(read.span(first, last) for first, last in places), strict=True)
    where = tuple(place for place in found_at if place is not None)
    distinct = tuple(dict.fromkeys(texts))
    return (
        Answer.span(distinct[0], *where) if len(distinct) == 1 else Answer.spans(distinct, *where)
    )


def tagged_spans(tags: Sequence[int], parts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last piece of each span that begins with one tag and goes on with another.

    >>> list(tagged_spans([0, 1, 2, 1, 2], [0, 1, 1, 1, 2]))
    [(1, 2), (3, 3)]
    """
    first: int | None = None
    for place, part in enumerate(parts):
        tag = tags[place] if part > QUESTION else OUTSIDE
        goes_on = first is not None and tag == INSIDE and part == parts[place - 1]
        if first is not None and not goes_on:
            yield first, place - 1
            first = None
        if tag == BEGINS:
            first = place
    if first is not None:
        yield first, len(parts) - 1


def _calculated(read: NumberedInput, scores: Sequence[Sequence[float]]) -> Answer:
    """Each number with its likeliest sign; at least one must be added."""
    own = scores[: len(read.quantities)]
    signs = [SIGNS[row.index(max(row))] for row in own]
    if 1 not in signs:
        plus, zero = SIGNS.index(1), SIGNS.index(0)
        gains = [row[plus] - row[zero] for row in own]
        signs[gains.index(max(gains))] = 1
    terms = [
        (sign, quantity) for sign, quantity in zip(signs, read.quantities, strict=True) if sign
    ]
    try:
        calculation = calculate(terms, read.question)
    except ValueError:  # a sum of dates, which means nothing but is what the network said
        total = math.fsum(sign * quantity.value for sign, quantity in terms)
        return Answer.number(total, written(total))
    return Answer.number(
        calculation.value,
        calculation.text,
        unit=calculation.unit,
        expression=calculation.expression,
    )


@dataclass(frozen=True, slots=True)
class NumNetTask:
    """NumNet+ by a recipe."""

    recipe: NumNetRecipe

    def files(self, data: Path) -> list[Path]:
        return reading_files(data, self.recipe.stages)

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[NumNetExample]]:
        for question in context_questions(data, self.recipe.stages, gold=True):
            example = self.example(question, tokenizer)
            yield [example] if example.is_labelled else []

    def example(self, question: Question, tokenizer: PieceTokenizer) -> NumNetExample:
        """A question with its texts, and its labels if it has any."""
        return numnet_example(question, tokenizer, self.recipe.longest)

    def network(self, encoder: PieceEncoder) -> NumNet:
        return NumNet(self.recipe, encoder)

    def batch(self, examples: Sequence[NumNetExample], pad: int) -> NumNetBatch:
        return numnet_batch(examples, pad)

    def predictions(
        self,
        network: NumNet,
        batch: NumNetBatch,
        questions: Sequence[Question],
        examples: Sequence[NumNetExample],
    ) -> list[Prediction]:
        """One prediction for each question of a batch."""
        decoder = Decoder(network(batch), batch)
        return [decoder.prediction(row, example.read) for row, example in enumerate(examples)]
