"""The question task's test: others' questions about a paragraph, to be told apart.

What somebody writes can be scored by nobody but a person, who looks at the first sets; whether they
know a good question when they see one can be scored here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.iirc.checking import entries, targets, title_problems
from lacuna.collect.tasks.iirc.trial_text import CANDIDATES, TEST_PARAGRAPH
from lacuna.collect.tasks.task import FieldProblem, Json, NewItem

JUDGING = "judging"
GOOD = "good"
VERDICTS = {
    GOOD: "Good: it needs the paragraph, and at least one linked article",
    "answerable-here": "Bad: the paragraph alone answers it",
    "paragraph-not-needed": "Bad: one linked article answers it, without the paragraph",
    "senseless": "Bad: it makes no sense, or mistakes what the paragraph says",
}


def judging_item() -> NewItem:
    """The test, with what we think of its questions."""
    payload = {
        "kind": JUDGING,
        "paragraph": TEST_PARAGRAPH,
        "candidates": [text for text, _, _ in CANDIDATES],
    }
    gold = [{"verdict": verdict, "links": list(links)} for _, verdict, links in CANDIDATES]
    return NewItem("test-judging", payload, gold={"judgements": gold})


def shown_judging(payload: Json) -> Json:
    """All of it, and what can be chosen."""
    verdicts = [{"name": name, "label": label} for name, label in VERDICTS.items()]
    return {**payload, "verdicts": verdicts}


def judging_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong."""
    judgements = entries(work, "judgements", len(payload["candidates"]))
    if isinstance(judgements, str):
        yield FieldProblem("judgements", f"Judge every question: {judgements}")
        return
    allowed = targets(payload["paragraph"])
    for number, judgement in enumerate(judgements):
        field = f"judgements.{number}"
        verdict = judgement.get("verdict") if isinstance(judgement, dict) else None
        if not isinstance(verdict, str) or verdict not in VERDICTS:
            yield FieldProblem(f"{field}.verdict", "Say what you think of this question.")
        elif verdict == GOOD:
            yield from title_problems(f"{field}.links", judgement.get("links"), allowed)


def judging_score(work: Json, gold: Json) -> float:
    """The share of right verdicts; a good question's other half is the links that it needs."""
    pairs = list(zip(work["judgements"], gold["judgements"], strict=True))
    return sum(_right(given, wanted) for given, wanted in pairs) / len(pairs)


def _right(given: Json, wanted: Json) -> float:
    if given["verdict"] != wanted["verdict"]:
        return 0.0
    if wanted["verdict"] != GOOD:
        return 1.0
    return 1.0 if set(given["links"]) == set(wanted["links"]) else 0.5
