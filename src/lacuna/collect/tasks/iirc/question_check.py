"""Whether a set of questions is whole; the work may be anything that JSON can say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.iirc.checking import (
    MOST_SPANS,
    entries,
    span_problem,
    targets,
    text_problem,
    title_problems,
)
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.metrics.normalise import normalise


def question_set_problems(payload: Json, work: Any, options: Json) -> Iterator[FieldProblem]:
    """What is wrong, at the fields where it is."""
    questions = entries(work, "questions", options["questions"])
    if isinstance(questions, str):
        yield FieldProblem("questions", questions)
        return
    paragraphs = {one["id"]: one for one in payload["paragraphs"]}
    seen: dict[str, int] = {}
    multi = 0
    for number, question in enumerate(questions):
        field = f"questions.{number}"
        found = list(_question_problems(field, question, paragraphs))
        yield from found
        wrong = {problem.field for problem in found}
        if wrong.isdisjoint((field, f"{field}.paragraph", f"{field}.links")):
            multi += len(question["links"]) > 1
        if found:
            continue
        words = normalise(question["text"])
        if words in seen:
            first = seen[words] + 1
            yield FieldProblem(f"{field}.text", f"This is question {first} once more.")
        seen.setdefault(words, number)
    if multi < options["fewest_multi_link"]:
        yield FieldProblem(
            "questions",
            f"At least {options['fewest_multi_link']} of the questions need two or more links; "
            f"so far there are {multi}.",
        )


def _question_problems(
    field: str, question: Any, paragraphs: dict[str, Json]
) -> Iterator[FieldProblem]:
    if not isinstance(question, dict):
        yield FieldProblem(field, "Write a question here.")
        return
    if problem := text_problem(question.get("text"), "a question"):
        yield FieldProblem(f"{field}.text", problem)
    elif len(normalise(question["text"]).split()) < 2:
        yield FieldProblem(f"{field}.text", "Write a whole question, of several words.")
    name = question.get("paragraph")
    paragraph = paragraphs.get(name) if isinstance(name, str) else None
    if paragraph is None:
        yield FieldProblem(f"{field}.paragraph", "Choose the paragraph that this is about.")
        return
    if problem := _context_problem(question.get("context"), paragraph["text"]):
        yield FieldProblem(f"{field}.context", problem)
    yield from title_problems(f"{field}.links", question.get("links"), targets(paragraph))


def _context_problem(context: Any, text: str) -> str | None:
    if not isinstance(context, list) or not context:
        return "Mark at least one place in the paragraph that the question builds on."
    if len(context) > MOST_SPANS:
        return f"Mark at most {MOST_SPANS} places."
    last = 0
    for span in context:
        if not isinstance(span, list) or len(span) != 2:
            return "A marked place has a beginning and an end. Mark it again."
        if problem := span_problem(span[0], span[1], text):
            return problem
        if span[0] < last:
            return "Marked places stand in the order of the text and do not overlap."
        last = span[1]
    return None
