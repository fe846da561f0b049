"""What checking a piece of work of any shape needs, for both tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.task import FieldProblem, Json

LONGEST_LINE = 400
MOST_SPANS = 30


def text_problem(value: Any, what: str, longest: int = LONGEST_LINE) -> str | None:
    """What is wrong with a line that was typed, or None."""
    if not isinstance(value, str) or not value.strip():
        return f"Write {what}."
    if len(value) > longest:
        return f"This has {len(value)} characters; at most {longest} are allowed."
    if any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in value):
        return "This has a sign that is no text, or a line break. Write it in one line."
    return None


def entries(work: Any, name: str, count: int) -> list[Any] | str:
    """The list of so many entries under a name, or what is wrong with it."""
    found = work.get(name) if isinstance(work, dict) else None
    if not isinstance(found, list) or len(found) != count:
        there = len(found) if isinstance(found, list) else 0
        return f"{count} are wanted, and there are {there}."
    return found


def span_problem(start: Any, end: Any, text: str) -> str | None:
    """What is wrong with a place in a text, or None."""
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return "This place does not lie in the text. Mark it again."
    marked = text[start:end]
    if marked != marked.strip():
        return "A marked place begins and ends with a word. Mark it again."
    return None


def title_problems(field: str, value: Any, allowed: frozenset[str]) -> Iterator[FieldProblem]:
    """What is wrong with a choice of links."""
    if not isinstance(value, list) or not value:
        yield FieldProblem(field, "Choose at least one link.")
    elif not all(isinstance(title, str) and title in allowed for title in value):
        yield FieldProblem(field, "Only links of the paragraph can be chosen.")
    elif len(set(value)) < len(value):
        yield FieldProblem(field, "Choose each link once.")


def targets(paragraph: Json) -> frozenset[str]:
    """The titles that a paragraph links to."""
    return frozenset(link["target"] for link in paragraph["links"])
