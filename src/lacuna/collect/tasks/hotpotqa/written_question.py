"""What a worker wrote about a pair, read from JSON of any shape."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from lacuna.collect.tasks.hotpotqa.shown_paragraph import paragraph_document
from lacuna.collect.tasks.task import Json
from lacuna.types import Document, SupportingFact

FIELDS = ("question", "answer", "supporting")
YES_NO = ("yes", "no")
NOT_TEXT = ("Cc", "Cs")
"""Unicode's classes of what nobody can read: control characters, half a character."""


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question, its answer, and the places of its supporting sentences."""

    question: str
    answer: str
    supporting: tuple[tuple[int, int], ...]
    """Paragraph (0 or 1) and sentence, from 0."""

    @classmethod
    def of(cls, payload: Json, work: Json) -> WrittenQuestion:
        """What checked work says; an item of the test brings its own question."""
        question = payload.get("given_question") or work["question"]
        places = tuple(sorted((paragraph, sentence) for paragraph, sentence in work["supporting"]))
        return cls(question.strip(), work["answer"].strip(), places)

    def facts(self, payload: Json) -> tuple[SupportingFact, ...]:
        """The supporting sentences by the titles of their paragraphs."""
        titles = [paragraph["title"] for paragraph in payload["paragraphs"]]
        return tuple(SupportingFact(titles[place], number) for place, number in self.supporting)


def paragraphs_in(payload: Json) -> list[Document]:
    """Both paragraphs of an item."""
    return [paragraph_document(paragraph) for paragraph in payload["paragraphs"]]


def is_readable(value: Any) -> bool:
    """Whether a value is a text of characters that can be read and written to a file."""
    return isinstance(value, str) and not any(
        unicodedata.category(character) in NOT_TEXT for character in value
    )


def is_place(value: Any, payload: Json) -> bool:
    """Whether a value is a sentence of one of the paragraphs."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    paragraph, sentence = value
    if type(paragraph) is not int or type(sentence) is not int or paragraph not in (0, 1):
        return False
    return 0 <= sentence < len(payload["paragraphs"][paragraph]["sentences"])
