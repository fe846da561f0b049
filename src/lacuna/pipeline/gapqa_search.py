"""What is known of a question's key span and each of its choices."""

from __future__ import annotations

from lacuna.retrieve.knowledge import Knowledge, KnowledgeBase
from lacuna.types import Question, Span


def search(
    base: KnowledgeBase, question: Question, span: Span, *, by_span: bool = True
) -> list[Knowledge]:
    """One for each choice, searched by the key span or by the whole fact.

    The fact itself must be kept out of ``base``: it is no evidence for itself.
    """
    fact = question.fact or ""
    words = fact[span.start : span.end]
    made = []
    for choice in question.choices:
        found = base.about(words if by_span else fact, choice.text)
        made.append(Knowledge(words, choice.text, found.sentences, found.triples))
    return made
