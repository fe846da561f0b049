"""Answers as teachers and validators give them: a span of the section or none, and dialog acts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.iirc.checking import span_problem
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.corpus.mining.sections import TOKEN
from lacuna.metrics.normalise import normalise, overlap
from lacuna.types import FollowUp, YesNo

SPAN, NONE = "span", "none"
MOST_TOKENS = 30
"""So that nobody reveals the whole section at once."""


def answer_problems(
    text: str, answer: Any, *, follow_up: bool, field: str = ""
) -> Iterator[FieldProblem]:
    """What is wrong with an answer; ``follow_up`` is whether it has to guide the student."""
    kind = answer.get("kind") if isinstance(answer, dict) else None
    at = f"{field}." if field else ""
    if kind not in (SPAN, NONE):
        yield FieldProblem(f"{at}kind", "Mark the answer in the section, or say that it has none.")
        return
    if kind == SPAN:
        problem = span_problem(answer.get("start"), answer.get("end"), text)
        if problem is None and _cuts_a_word(text, answer["start"], answer["end"]):
            problem = "An answer has whole words. Mark it again."
        elif problem is None:
            tokens = len(TOKEN.findall(text[answer["start"] : answer["end"]]))
            if tokens > MOST_TOKENS:
                problem = f"This has {tokens} words and signs; at most {MOST_TOKENS} are allowed."
        if problem:
            yield FieldProblem(f"{at}span", problem)
    if answer.get("yesno") not in list(YesNo):
        yield FieldProblem(f"{at}yesno", "Say whether the answer is yes, no, or neither.")
    if follow_up and answer.get("followup") not in list(FollowUp):
        yield FieldProblem(f"{at}followup", "Say whether to ask further about this.")


def plain_answer(answer: Json, *, follow_up: bool) -> Json:
    """An answer that was checked, with its own fields and no others."""
    fields = ["kind", "yesno"]
    fields += ["followup"] if follow_up else []
    fields += ["start", "end"] if answer["kind"] == SPAN else []
    return {name: answer[name] for name in fields}


def shown_answer(text: str, answer: Json) -> Json:
    """What a student sees of an answer: its words and acts, and not where it stands."""
    acts: Json = {name: answer[name] for name in ("yesno", "followup") if name in answer}
    return {"kind": answer["kind"], "text": quoted(text, answer), **acts}


def quoted(text: str, answer: Json) -> str:
    """The words of an answer; empty where there is none."""
    return "" if answer["kind"] == NONE else text[answer["start"] : answer["end"]]


def answers_agree(text: str, one: Json, other: Json) -> float:
    """How far two answers say the same: F1 of their words; none agrees with none alone."""
    if NONE in (one["kind"], other["kind"]):
        return float(one["kind"] == other["kind"])
    return overlap(normalise(quoted(text, one)), normalise(quoted(text, other))).f1


def _cuts_a_word(text: str, *edges: int) -> bool:
    return any(
        0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum() for edge in edges
    )
