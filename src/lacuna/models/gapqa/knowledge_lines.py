"""What is known of a question's choices: the search, and the lines as the model reads them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lacuna.models.gapqa.statements import Statement, sentence_states, triple_states
from lacuna.retrieve.knowledge import FoundSentence, FoundTriple, Knowledge, KnowledgeBase
from lacuna.types import Question, Span


class KnowledgeKind(StrEnum):
    """Where a line of knowledge is from."""

    SENTENCE = "sentence"
    TRIPLE = "triple"
    BACK_OFF = "back-off"
    """The span and the choice side by side: what the encoder knows of the two."""


@dataclass(frozen=True, slots=True)
class KnowledgeLine:
    """A line of knowledge, and how likely each relation is by it alone (as ``DIRECTIONS``).

    ``statement`` is what it says of span and choice, if it says it plainly.
    """

    text: str
    kind: KnowledgeKind
    source: str
    relations: tuple[float, ...]
    statement: Statement | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "text": self.text,
            "kind": self.kind,
            "source": self.source,
            "relations": self.relations,
        }


def search_knowledge(
    base: KnowledgeBase, question: Question, span: Span, *, by_span: bool = True
) -> list[Knowledge]:
    """What is known of the key span and each choice, searched by the span or by the whole fact.

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
    """How likely each relation is, from its score."""
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
