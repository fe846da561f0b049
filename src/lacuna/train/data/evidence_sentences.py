"""Which sentences of a text are evidence, and sentences that are hidden among others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random

from lacuna.corpus.pages.sentences import sentence_spans
from lacuna.datasets.hotpotqa.hotpotqa_format import document_of
from lacuna.types import Document, Span, SupportingFact

LINE = re.compile(r"[^\n]+")


def with_sentences(title: str, text: str) -> Document:
    """A text and its sentences; none goes over the end of a line."""
    lines = (Span(*match.span()) for match in LINE.finditer(text))
    return Document(title, text, sentence_spans(text, lines))


def sentences_at(document: Document, places: Iterable[Span]) -> tuple[SupportingFact, ...]:
    """The sentences that touch one of some places."""
    wanted = list(places)
    return tuple(
        SupportingFact(document.title, number)
        for number, (start, end) in enumerate(document.sentences)
        if any(start < place.end and place.start < end for place in wanted)
    )


def hidden_among(
    title: str, own: Sequence[str], others: Iterable[str], random: Random
) -> tuple[Document, tuple[SupportingFact, ...]]:
    """Sentences among others in any order, as one text, and which of it they are."""
    mixed = [(sentence, True) for sentence in own] + [(sentence, False) for sentence in others]
    random.shuffle(mixed)
    facts = (SupportingFact(title, number) for number, (_, is_own) in enumerate(mixed) if is_own)
    return document_of(title, (sentence for sentence, _ in mixed)), tuple(facts)
