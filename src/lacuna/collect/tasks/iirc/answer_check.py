"""Whether a set of answers is whole; the work may be anything that JSON can say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.iirc.checking import MOST_SPANS, entries, span_problem, text_problem
from lacuna.collect.tasks.iirc.sources import ARTICLE, QUESTION, readable_texts, source_text
from lacuna.collect.tasks.task import FieldProblem, Json

NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,10})?|-?[0-9]{1,3}(,[0-9]{3}){1,4}(\.[0-9]{1,10})?")
LONGEST_UNIT = 60
KINDS = ("span", "number", "yes", "no", "none", "bad")
ANSWERED = KINDS[:4]
REASONS = ("senseless", "answerable-here")


def answer_set_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is wrong, at the fields where it is."""
    answers = entries(work, "answers", len(payload["questions"]))
    if isinstance(answers, str):
        yield FieldProblem("answers", f"Answer every question: {answers}")
        return
    for number, answer in enumerate(answers):
        field = f"answers.{number}"
        kind = answer.get("kind") if isinstance(answer, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            yield FieldProblem(f"{field}.kind", "Choose the kind of answer.")
            continue
        texts = readable_texts(payload, number)
        if kind == "span":
            yield from _span_problems(f"{field}.spans", answer.get("spans"), texts, "the answer")
        elif kind == "number":
            yield from _number_problems(field, answer)
        elif kind == "bad" and answer.get("reason") not in REASONS:
            yield FieldProblem(f"{field}.reason", "Say what is wrong with the question.")
        if kind in ANSWERED:
            evidence = {source: text for source, text in texts.items() if source != (QUESTION, "")}
            what = "what one must read to answer this"
            yield from _span_problems(f"{field}.context", answer.get("context"), evidence, what)


def _number_problems(field: str, answer: Json) -> Iterator[FieldProblem]:
    number = answer.get("number")
    if not isinstance(number, str) or not NUMBER.fullmatch(number.strip()):
        yield FieldProblem(f"{field}.number", "Write a number in digits, such as 12 or 3.5.")
    if problem := text_problem(answer.get("unit"), "what is counted, such as years", LONGEST_UNIT):
        yield FieldProblem(f"{field}.unit", problem)


def _span_problems(
    field: str, spans: Any, texts: dict[tuple[str, str], str], what: str
) -> Iterator[FieldProblem]:
    if not isinstance(spans, list) or not spans:
        yield FieldProblem(field, f"Mark {what} in the texts.")
        return
    if len(spans) > MOST_SPANS:
        yield FieldProblem(field, f"Mark at most {MOST_SPANS} places.")
        return
    seen: set[tuple[str, str, int, int]] = set()
    for number, span in enumerate(spans):
        place = f"{field}.{number}"
        text = source_text(span, texts)
        if text is None:
            yield FieldProblem(place, "This is no text that can be marked here. Remove it.")
        elif problem := span_problem(span.get("start"), span.get("end"), text):
            yield FieldProblem(place, problem)
        else:
            key = (
                span["source"],
                span["title"] if span["source"] == ARTICLE else "",
                span["start"],
                span["end"],
            )
            if key in seen:
                yield FieldProblem(place, "This place is marked twice. Remove it here.")
            seen.add(key)
