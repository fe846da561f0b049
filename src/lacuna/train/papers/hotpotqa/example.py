"""HotpotQA's questions as examples: all paragraphs one behind the other, each with its title."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lacuna.train.labels import occurrences
from lacuna.train.papers.batch import NOWHERE, TextExample
from lacuna.train.papers.tokens import Ints, TokenTable, words_within
from lacuna.types import Answer, AnswerKind, Document, Gold, Question, SupportingFact

KINDS = (AnswerKind.SPAN, AnswerKind.YES, AnswerKind.NO)
UNKNOWN_KIND = -100
"""A label that losses pass over."""
TITLE_BEGINS, TITLE_ENDS = "<title>", "</title>"


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotExample(TextExample):
    """A question over paragraphs, its answer's kind, and the sentences that support it."""

    sentences: Ints
    """[sentences, 4]: first and last word, number of the paragraph, number within it."""
    support: NDArray[np.bool_]
    """[sentences]"""
    kind: int

    @property
    def paragraph_starts(self) -> Ints:
        """Where each paragraph begins, with its title."""
        outside = self.places[:, 0] == NOWHERE
        begins = outside & ~np.concatenate([[False], outside[:-1]])
        begins[0] = True
        return np.flatnonzero(begins).astype(np.int32)


class _Context:
    """The words of paragraphs, one after the other, up to a limit."""

    def __init__(self, table: TokenTable, longest: int) -> None:
        self._table, self._room = table, longest
        self._length = 0
        self._numbers: list[Ints] = []
        self._places: list[Ints] = []
        self.sentences: list[tuple[int, int, int, int]] = []

    def add(self, number: int, document: Document) -> None:
        """A paragraph behind its title, from which no answer is taken."""
        begins, ends = map(self._table.number, (TITLE_BEGINS, TITLE_ENDS))
        title = [begins, *self._table.tokens(document.title).numbers.tolist(), ends]
        self._append(np.array(title, np.int32), np.array([(NOWHERE, 0, 0)] * len(title), np.int32))
        tokens, before = self._table.tokens(document.text), self._length
        paragraph = np.full((len(tokens.numbers), 1), number, np.int32)
        self._append(tokens.numbers, np.concatenate([paragraph, tokens.places], 1))
        for sentence, span in enumerate(document.sentences):
            covered = words_within(tokens.places, *span)
            if covered is not None and before + covered[1] < self._length:
                first, last = before + covered[0], before + covered[1]
                self.sentences.append((first, last, number, sentence))

    def _append(self, numbers: Ints, places: Ints) -> None:
        left = self._room - self._length
        self._numbers.append(numbers[:left])
        self._places.append(places[:left])
        self._length += min(left, len(numbers))

    def arrays(self) -> tuple[Ints, Ints]:
        """The words [words], and where each stands [words, 3]: paragraph, start, end."""
        if not self._length:  # a question without any paragraph
            begins = np.array([self._table.number(TITLE_BEGINS)], np.int32)
            self._append(begins, np.array([(NOWHERE, 0, 0)], np.int32))
        return np.concatenate(self._numbers), np.concatenate(self._places)


def hotpot_example(
    question: Question, gold: Gold | None, table: TokenTable, longest: int, *, all_support: bool
) -> HotpotExample:
    """A question with what annotators said of it; ``all_support`` where only facts are read."""
    context = _Context(table, longest)
    for number, document in enumerate(question.documents):
        context.add(number, document)
    numbers, places = context.arrays()
    sentences = np.array(context.sentences, np.int32).reshape(-1, 4)
    facts = set((gold and gold.supporting_facts) or ())
    titles = [document.title for document in question.documents]
    support = [all_support or SupportingFact(titles[d], s) in facts for *_, d, s in sentences]
    answer = gold.answers[0] if gold and gold.answers else None
    kind = KINDS.index(answer.kind) if answer and answer.kind in KINDS else UNKNOWN_KIND
    supported = {
        (int(d), int(s)) for (*_, d, s), yes in zip(sentences, support, strict=True) if yes
    }
    spans = _answer_spans(question, answer, places, supported)
    asked = table.tokens(question.text).numbers
    return HotpotExample(
        context=numbers,
        places=places,
        question=asked if len(asked) else np.array([table.number("?")], np.int32),
        starts=spans[:, 0],
        ends=spans[:, 1],
        group=question.id,
        sentences=sentences,
        support=np.array(support, np.bool_),
        kind=kind,
    )


def _answer_spans(
    question: Question, answer: Answer | None, places: Ints, supported: set[tuple[int, int]]
) -> Ints:
    """Where the answer stands in supporting sentences, or else anywhere: [spans, 2]."""
    if answer is None or answer.kind is not AnswerKind.SPAN:
        return np.zeros((0, 2), np.int32)
    inside, anywhere = [], []
    for number, document in enumerate(question.documents):
        own = np.flatnonzero(places[:, 0] == number)
        for start, end in occurrences(document.text, answer.texts[0]) if len(own) else ():
            words = words_within(places[own, 1:], start, end)
            if words is None or places[own[words[1]], 2] < end:
                continue  # behind the limit
            span = (own[words[0]], own[words[1]])
            anywhere.append(span)
            if any(
                (number, sentence) in supported and begin <= start and end <= stop
                for sentence, (begin, stop) in enumerate(document.sentences)
            ):
                inside.append(span)
    return np.array(inside or anywhere, np.int32).reshape(-1, 2)
