"""What a system had before it when it answered: by this, errors are told apart."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.types import Question


@dataclass(frozen=True, slots=True)
class ChoiceTrace:
    """One choice: GapQA's two scores, and whether any line of knowledge was found for it."""

    label: str
    fact_score: float
    relation_score: float
    known: bool


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """The titles of the documents that were looked into and the texts that were read of them,
    beside the question's own context; of a question with choices, what was made of each."""

    titles: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    choices: tuple[ChoiceTrace, ...] = ()


def trace_of_given(question: Question) -> AnswerTrace:
    """Of a system that reads what a setting gives it: all texts that come with the question."""
    documents = question.documents
    return AnswerTrace(
        tuple(document.title for document in documents),
        tuple(document.text for document in documents),
    )
