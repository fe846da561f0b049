"""All rows of a question, after what the model was trained to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from lacuna.models.gapqa.rows import Row
from lacuna.retrieve.knowledge import Knowledge
from lacuna.types import Question


class MakesRows(Protocol):
    """Rows of word pieces, or of words."""

    def question_row(self, question: str, fact: str) -> Row: ...

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row: ...

    def knowledge_row(self, span: str, choice: str, line: str) -> Row: ...


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model gets to see: all of it, or less for the paper's ablations and baselines."""

    fact: bool = True
    """Without it, only question and choice (the paper's question-to-choice baseline)."""
    knowledge: bool = True
    """Without it, no relation score."""
    span: bool = True
    """Without it, lines of knowledge are read beside the whole fact (No Spans, Model)."""


class QuestionRows(NamedTuple):
    """The question's own row, a row for each choice, and rows of knowledge for each choice."""

    question: Row
    choices: tuple[Row, ...]
    knowledge: tuple[tuple[Row, ...], ...]


def question_rows(
    rows: MakesRows, question: Question, known: Sequence[Knowledge], shown: Shown
) -> QuestionRows:
    """The rows of a question and of what was found for each of its choices."""
    fact = question.fact or ""
    visible = fact if shown.fact else None
    return QuestionRows(
        rows.question_row(question.text, fact),
        tuple(rows.choice_row(question.text, choice.text, visible) for choice in question.choices),
        tuple(
            tuple(
                rows.knowledge_row(pair.span if shown.span else fact, pair.choice, line)
                for line in (pair.texts if shown.knowledge else ())
            )
            for pair in known
        ),
    )
