"""A question made ready to learn from: its rows, its right choice, its span and its relations."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.models.gapqa.question_rows import QuestionRows


@dataclass(frozen=True, slots=True)
class Example:
    """One question. ``span`` are the first and last token of the key span in the question's row;
    ``right`` is the number of the right choice, -1 where it is not known; ``relations`` are those
    of the right choice, ``lines`` what each line of knowledge says (as ``line_labels``)."""

    id: str
    rows: QuestionRows
    right: int
    span: tuple[int, int] | None = None
    relations: frozenset[int] = frozenset()
    lines: tuple[int, ...] = ()
