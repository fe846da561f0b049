"""What a knowledge base knows of each choice of a question, as documents of the question."""

from __future__ import annotations

from dataclasses import replace

from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.types import Document, Question


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
