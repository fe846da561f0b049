"""One input of the model, and the way back from its tokens to the documents' characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lacuna.models.tokenizer import Covers, Ints, Tokenizer, TokenText
from lacuna.types import Document, Evidence, Span

MAX_TOKENS = 512
MARKED_TURNS = 3
"""Earlier answers of a dialog that are marked in the text, by how many turns ago they were."""


class TextPlace(NamedTuple):
    """Where a stretch of characters stands in the input: first and last token, both inclusive."""

    first: int
    last: int


class Segment(NamedTuple):
    """Tokens ``first`` to ``last`` (exclusive) of one document, put in at position ``at``."""

    document: int
    first: int
    last: int
    at: int

    def holds(self, covers: Covers) -> Iterator[tuple[int, TextPlace]]:
        """Which of many places in the document it holds whole, and where in the input they are."""
        first, last = covers
        inside = (self.first <= first) & (first <= last) & (last < self.last)
        shift = self.at - self.first
        for index in np.flatnonzero(inside).tolist():
            yield index, TextPlace(int(first[index]) + shift, int(last[index]) + shift)


@dataclass(frozen=True)
class EncodedQuestion:
    """A question's tokens and those of its documents; all its inputs share them."""

    question: TokenText
    documents: tuple[Document, ...]
    tokens: tuple[TokenText, ...]
    titles: tuple[TokenText, ...]
    marked: tuple[tuple[int, Span, int], ...] = ()
    """Earlier answers: document, characters, how many turns ago."""

    @cached_property
    def sentences(self) -> tuple[Covers, ...]:
        """The first and last token of each sentence, one pair of arrays a document.

        Looked up once for all windows, so that a long text does not cost its square.
        """
        pairs = zip(self.documents, self.tokens, strict=True)
        return tuple(tokens.covers(document.sentences) for document, tokens in pairs)


@dataclass(frozen=True, slots=True)
class ModelInput:
    """Token ids with the marks of earlier answers; ``segments`` say what text is where."""

    encoded: EncodedQuestion
    ids: Ints
    marks: Ints
    question: TextPlace
    segments: tuple[Segment, ...]

    def places(self, document: int, start: int, end: int) -> Iterator[TextPlace]:
        """Where these characters of a document stand, if this input holds them all."""
        cover = self.encoded.tokens[document].cover(start, end)
        if cover is None:
            return
        for segment in self.segments:
            if (
                segment.document == document
                and segment.first <= cover[0] <= cover[1] < segment.last
            ):
                shift = segment.at - segment.first
                yield TextPlace(cover[0] + shift, cover[1] + shift)

    def quote(self, first: int, last: int) -> tuple[str, Evidence] | None:
        """The text that tokens ``first`` to ``last`` stand for, if it lies in one document."""
        for segment in self.segments:
            if segment.at <= first <= last < segment.at + segment.last - segment.first:
                shift = segment.first - segment.at
                tokens = self.encoded.tokens[segment.document]
                start, end = int(tokens.starts[first + shift]), int(tokens.ends[last + shift])
                document = self.encoded.documents[segment.document]
                return document.text[start:end], Evidence(document.title, start, end)
        return None


def build(
    tokenizer: Tokenizer,
    encoded: EncodedQuestion,
    head: Sequence[int],
    parts: Iterable[tuple[int, int, int]],
) -> ModelInput:
    """Put ``head``, the question and parts (document, first token, end) into one input."""
    ids = [tokenizer.begin, *head]
    question_ids = encoded.question.ids.tolist()
    place = TextPlace(len(ids), len(ids) + len(question_ids) - 1)
    ids += [*question_ids, tokenizer.separator]
    segments = []
    for document, first, last in parts:
        ids += [tokenizer.document, *encoded.titles[document].ids.tolist(), tokenizer.text]
        segments.append(Segment(document, first, last, len(ids)))
        ids += encoded.tokens[document].ids[first:last].tolist()
    ids.append(tokenizer.separator)
    marks = np.zeros(len(ids), np.int32)
    model_input = ModelInput(encoded, np.array(ids, np.int32), marks, place, tuple(segments))
    for document, span, ago in sorted(encoded.marked, key=lambda marked: -marked[2]):
        for segment in model_input.segments:
            if segment.document == document:
                _mark(marks, encoded.tokens[document], segment, span, ago)
    return model_input


def _mark(marks: Ints, tokens: TokenText, segment: Segment, span: Span, ago: int) -> None:
    """Mark what of an earlier answer lies in this segment, even if that is a part of it."""
    if (cover := tokens.cover(span.start, span.end)) is None:
        return
    first, last = max(cover[0], segment.first), min(cover[1], segment.last - 1)
    if first <= last:
        shift = segment.at - segment.first
        marks[first + shift : last + shift + 1] = ago
