"""A question made ready to learn from: its rows, its right choice, its span and its relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lacuna.find.knowledge import Knowledge
from lacuna.gap.rows import Row
from lacuna.types import Question, Span


class MakesRows(Protocol):
    """Rows of word pieces, or of words."""

    def question_row(self, question: str, fact: str) -> Row: ...

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row: ...

    def knowledge_row(self, span: str, choice: str, line: str) -> Row: ...


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model gets to see: the whole paper, or less for its ablations and baselines."""

    fact: bool = True
    """Without it, only question and choice (the paper's question-to-choice baseline)."""
    knowledge: bool = True
    """Without it, no relation score."""
    span: bool = True
    """Without it, lines of knowledge are read beside the whole fact (No Spans, Model)."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question. ``span`` are the first and last token of the key span in the question's row."""

    id: str
    question: Row
    choices: tuple[Row, ...]
    knowledge: tuple[tuple[Row, ...], ...]
    right: int
    span: tuple[int, int] | None = None
    relations: frozenset[int] = frozenset()


def make_example(
    rows: MakesRows,
    question: Question,
    known: Sequence[Knowledge],
    shown: Shown,
    *,
    span: tuple[int, int] | None = None,
    relations: frozenset[int] = frozenset(),
) -> Example:
    """The rows of a question and what was found for each of its choices."""
    fact = question.fact or ""
    seen = fact if shown.fact else None
    return Example(
        question.id,
        rows.question_row(question.text, fact),
        tuple(rows.choice_row(question.text, choice.text, seen) for choice in question.choices),
        tuple(
            tuple(
                rows.knowledge_row(one.span if shown.span else fact, one.choice, line)
                for line in (one.texts if shown.knowledge else ())
            )
            for one in known
        ),
        _right(question),
        span,
        relations if shown.knowledge else frozenset(),
    )


def _right(question: Question) -> int:
    """The number of the right choice, -1 where it is not known."""
    answers = question.gold.answers if question.gold else ()
    labels = [choice.label for choice in question.choices]
    return labels.index(answers[0].label) if answers else -1


def cut(fact: str, span: Span) -> str:
    """The words of a span."""
    return fact[span.start : span.end]
