"""A gap as one person describes it: the key term in the fact, and the relations that hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.iirc.checking import span_problem, text_problem
from lacuna.collect.tasks.kgd.statements import BY_LABEL
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.types import Span

FIELDS = frozenset({"span", "term", "relations", "other"})
LONGEST = 200


def gap_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong; the work may be anything that JSON can say.

    ``span`` are the words of the fact, as ``[start, end]``; where no words of it that stand
    together will do, ``term`` has others. ``relations`` are those of the list that were ticked,
    ``other`` is a relation in words, for where none of them holds.
    """
    if not isinstance(work, dict) or not work.keys() <= FIELDS:
        yield FieldProblem("", "This is not a key term with its relations.")
        return
    span, term = work.get("span"), work.get("term")
    if span is None and not term:
        yield FieldProblem("span", "Mark the words of the fact that could answer the question.")
    elif span is not None and term:
        yield FieldProblem("span", "Mark words of the fact, or write others; not both.")
    elif span is None:
        if problem := text_problem(term, "the key term", LONGEST):
            yield FieldProblem("term", problem)
    elif problem := _span_problem(span, payload["fact"]):
        yield FieldProblem("span", problem)
    yield from _relation_problems(work.get("relations", []), work.get("other", ""))


def _span_problem(span: Any, fact: str) -> str | None:
    if not isinstance(span, list) or len(span) != 2:
        return "A marked place has a beginning and an end. Mark it again."
    if problem := span_problem(span[0], span[1], fact):
        return problem
    around = fact[max(span[0] - 1, 0) : span[0]] + fact[span[1] : span[1] + 1]
    if any(letter.isalnum() for letter in around):
        return "Take whole words: the marked place ends within one."
    return None


def _relation_problems(relations: Any, other: Any) -> Iterator[FieldProblem]:
    if not isinstance(relations, list) or not all(
        isinstance(name, str) and name in BY_LABEL for name in relations
    ):
        yield FieldProblem("relations", "Tick statements of the list.")
    elif len(set(relations)) < len(relations):
        yield FieldProblem("relations", "Tick each statement once.")
    elif not relations and not other:
        yield FieldProblem("relations", "Tick what is true, or write a relation of your own.")
    elif relations and other:
        yield FieldProblem("other", "This is only for where nothing on the list is true.")
    elif not relations and (problem := text_problem(other, "the relation", LONGEST)):
        yield FieldProblem("other", problem)


def marked(work: Json) -> Span | None:
    """The words of the fact that a person marked, if they stand together."""
    return Span(*work["span"]) if work.get("span") is not None else None


def listed(work: Json) -> list[str]:
    """The relations of the list that a person ticked."""
    return list(work.get("relations", []))


def is_usable(work: Json) -> bool:
    """Whether it has words of the fact, and a relation of the list."""
    return marked(work) is not None and bool(listed(work))


def overlap(one: Json, other: Json) -> bool:
    """Whether two people mark words in common."""
    first, second = marked(one), marked(other)
    if first is None or second is None:
        return False
    return first.start < second.end and second.start < first.end


def gap_score(one: Json, other: Json) -> float:
    """How far two people describe the same gap, from 0 to 1."""
    mine, theirs = set(listed(one)), set(listed(other))
    common = len(mine & theirs)
    relations = 2 * common / (len(mine) + len(theirs)) if common else 0.0
    return (float(overlap(one, other)) + relations) / 2
