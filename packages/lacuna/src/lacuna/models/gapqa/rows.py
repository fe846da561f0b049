"""Knowledge for a question's choices, and the rows of word pieces that the model reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.json_form import HIDDEN
from lacuna.models.gapqa.relations import Statement, sentence_states, triple_states
from lacuna.models.reader.encode import MAX_TOKENS, Tokenizer
from lacuna.retrieve.knowledge.knowledge_base import Knowledge, KnowledgeBase
from lacuna.retrieve.knowledge.search import FoundSentence, FoundTriple
from lacuna.types import Document, Question, Span

Ints = NDArray[np.int32]
LONGEST = MAX_TOKENS


class Part(IntEnum):
    """The part of a row that a token belongs to."""

    PADDING = 0
    GLUE = 1
    QUESTION = 2
    CHOICE = 3
    FACT = 4
    SPAN = 5
    KNOWLEDGE = 6


class Row(NamedTuple):
    """One sequence: ids and the part of each."""

    ids: Ints
    parts: Ints

    @classmethod
    def joined(cls, pieces: Sequence[tuple[Part, Sequence[int] | Ints]]) -> Row:
        """One row of several texts and what stands between them."""
        ids = np.concatenate([np.asarray(some, np.int32) for _, some in pieces])
        parts = np.repeat([part for part, _ in pieces], [len(some) for _, some in pieces])
        return cls(ids.astype(np.int32), parts.astype(np.int32))


class RowMaker:
    """Builds rows of word pieces."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._between = [tokenizer.document, tokenizer.text]

    def start_of_fact(self, question: str) -> int:
        """The start of the fact in ``question_row``."""
        return 2 + len(self._encode(question)) + 1 + len(self._between)

    def question_row(self, question: str, fact: str) -> Row:
        """The question beside the fact."""
        parts = [(Part.QUESTION, self._encode(question)), (Part.FACT, self._encode(fact))]
        return self._row(AnswerMode.EXTRACT, parts)

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row:
        """The question, a choice, and the fact if there is one."""
        parts = [(Part.QUESTION, self._encode(question)), (Part.CHOICE, self._encode(choice))]
        if fact is not None:
            parts.append((Part.FACT, self._encode(fact)))
        return self._row(AnswerMode.CHOOSE, parts)

    def knowledge_row(self, span: str, choice: str, line: str) -> Row:
        """A line of knowledge beside the two that it may relate; a line too long is cut."""
        parts = [(Part.SPAN, self._encode(span)), (Part.CHOICE, self._encode(choice))]
        room = LONGEST - 8 - sum(len(ids) for _, ids in parts)
        if room < 1:
            raise _too_long("The key span and a choice")
        return self._row(AnswerMode.CHOOSE, [*parts, (Part.KNOWLEDGE, self._encode(line)[:room])])

    def _encode(self, text: str) -> Ints:
        return self._tokenizer.encode(text).ids

    def _row(self, mode: AnswerMode, texts: Sequence[tuple[Part, Ints]]) -> Row:
        head = [self._tokenizer.begin, self._tokenizer.modes[mode]]
        row: list[tuple[Part, Sequence[int] | Ints]] = [(Part.GLUE, head), texts[0]]
        row.append((Part.GLUE, [self._tokenizer.separator]))
        for text in texts[1:]:
            row += [(Part.GLUE, self._between), text]
        row.append((Part.GLUE, [self._tokenizer.separator]))
        joined = Row.joined(row)
        if len(joined.ids) > LONGEST:
            raise _too_long("The question, a choice and the fact")
        return joined


def padded(rows: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids and parts of rows as two arrays [rows, tokens]."""
    longest = max(len(row.ids) for row in rows)
    ids, parts = (np.zeros((len(rows), longest), np.int64) for _ in range(2))
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)] = row.ids
        parts[number, : len(row.ids)] = row.parts
    return ids, parts


def _too_long(what: str) -> LacunaError:
    return LacunaError(
        f"{what} together have more than the {LONGEST} word pieces that the model reads at once. "
        "Say it shorter."
    )


def with_known_choices(base: KnowledgeBase, question: Question) -> Question:
    """The question with one document a choice, named by its label, a line of knowledge each.

    A line is about the choice, and about the question or its fact.
    """
    asked = f"{question.fact or ''} {question.text}"
    documents = []
    for choice in question.choices:
        lines = base.about(asked, choice.text).texts[
            :-1
        ]  # the last is the back-off: it says nothing
        documents.append(Document(choice.label, "\n".join(lines)))
    return replace(question, documents=tuple(documents))


class KnowledgeKind(StrEnum):
    """The source of a line of knowledge."""

    SENTENCE = "sentence"
    TRIPLE = "triple"
    BACK_OFF = "back-off"
    """The span and the choice side by side: what the encoder knows of the two."""


@dataclass(frozen=True, slots=True)
class KnowledgeLine:
    """A line of knowledge that was read for a choice."""

    text: str
    """The line."""
    kind: KnowledgeKind
    """The back-off is the key span and the choice side by side: no knowledge, only the words."""
    source: str
    """Where it is from."""
    relations: tuple[float, ...]
    """How likely each relation is by this line alone."""
    statement: Statement | None = field(default=None, metadata=HIDDEN)
    """What it says of span and choice, if it says it plainly."""


def search_knowledge(
    base: KnowledgeBase, question: Question, span: Span, *, by_span: bool = True
) -> list[Knowledge]:
    """Search knowledge of the key span and each choice, by the span or by the whole fact.

    The fact itself must be kept out of ``base``: it is no evidence for itself.
    """
    fact = question.fact or ""
    words = fact[span.start : span.end]
    hits = [base.about(words if by_span else fact, choice.text) for choice in question.choices]
    return [Knowledge(words, pair.choice, pair.sentences, pair.triples) for pair in hits]


def knowledge_lines(known: Knowledge, scores: NDArray[np.float32]) -> tuple[KnowledgeLine, ...]:
    """The lines of a choice with the model's scores, [lines, relations]; the last is the back-off.

    A model that reads no knowledge has no scores, and then there are no lines.
    """
    if not len(scores):
        return ()
    hits = (*known.sentences, *known.triples, None)
    lines = zip(hits, known.texts, map(probabilities, scores), strict=True)
    return tuple(_line(known, *line) for line in lines)


def probabilities(scores: NDArray[np.float32]) -> tuple[float, ...]:
    """The probability of each relation, from its score."""
    return tuple((1 / (1 + np.exp(-np.asarray(scores, np.float64)))).tolist())


def _line(
    known: Knowledge,
    hit: FoundSentence | FoundTriple | None,
    text: str,
    relations: tuple[float, ...],
) -> KnowledgeLine:
    pair = known.span, known.choice
    match hit:
        case FoundSentence():
            statement = sentence_states(text, *pair, relations)
            return KnowledgeLine(text, KnowledgeKind.SENTENCE, hit.source, relations, statement)
        case FoundTriple():
            statement = triple_states(hit.triple, *pair, relations)
            sources = ", ".join(hit.triple.sources)
            return KnowledgeLine(text, KnowledgeKind.TRIPLE, sources, relations, statement)
        case None:
            return KnowledgeLine(text, KnowledgeKind.BACK_OFF, "", relations)
