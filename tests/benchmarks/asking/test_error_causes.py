"""Every cause of a wrong answer, on traces made for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from benchmarks.asking.error_causes import AskedQuestion, Cause
from benchmarks.asking.real_errors import listing, sample, table

from lacuna.pipeline.result import Alternative, Candidate, Result, Stage, Step
from lacuna.types import Answer, Prediction, Question

SENTENCE = "The ferry Ellen was built in Osk in 1931."
OTHER = "Her captain is Mara Lind."


def asked(
    said: Answer,
    *,
    found: dict[str, bool] | None = None,
    best: str = "",
    **extra: Any,
) -> AskedQuestion:
    """A question whose evidence is SENTENCE; ``found`` are texts, and whether they were read."""
    texts = {SENTENCE: True} if found is None else found
    fields = {"gold": "Osk", "match": "Osk", "kind": "single", "evidence": [{"sentence": SENTENCE}]}
    candidates = tuple(
        Candidate("Ferry", float(-number), read, text, number, number + 1)
        for number, (text, read) in enumerate(texts.items())
    )
    steps = [Step(Stage.START, 0, "", candidates, 0.0)]
    if best:
        steps.append(Step(Stage.READ, 1, "", (Candidate("", 0.0, True, best),), 0.0))
    result = Result("Where?", None, Prediction(said, confidence=0.5), (), tuple(steps))
    return AskedQuestion(Question("1", "Where?", extra=fields | extra), result)


YES: dict[str, Any] = {"gold": "yes", "match": "^yes$"}
LIST: dict[str, Any] = {"gold": "Osk and Brannet", "match": ["Osk", "Brannet"]}
NUMBER: dict[str, Any] = {"gold": "12 years", "match": "12", "kind": "number"}


@pytest.mark.parametrize(
    ("one", "cause"),
    [
        (asked(Answer.span("Brannet"), found={OTHER: True}), Cause.NOT_FOUND),
        (asked(Answer.none(), found={OTHER: True, SENTENCE: False}), Cause.NOT_READ),
        (asked(Answer.none(), best="in Osk"), Cause.REJECTED),
        (asked(Answer.none(), best="in Osk", found={OTHER: True}), Cause.REJECTED),
        (asked(Answer.none()), Cause.REJECTED),
        (asked(Answer.none(), best="Ellen"), Cause.WRONG_TEXT),
        (asked(Answer.span("Ellen")), Cause.WRONG_TEXT),
        (asked(Answer.yes()), Cause.WRONG_KIND),
        (asked(Answer.no(), **YES), Cause.OPPOSITE),
        (asked(Answer.span("Osk"), **YES), Cause.WRONG_KIND),
        (asked(Answer.no(), found={SENTENCE: False}, **YES), Cause.NOT_READ),
        (asked(Answer.span("Osk"), **LIST), Cause.WRONG_KIND),
        (asked(Answer.span("Ellen"), **LIST), Cause.WRONG_TEXT),
        (asked(Answer.span("1931"), **NUMBER), Cause.WRONG_KIND),
        (asked(Answer.span("Ellen"), **NUMBER), Cause.WRONG_KIND),
        (asked(Answer.number(7), **NUMBER), Cause.WRONG_TEXT),
        (asked(Answer.span("Osk"), gold="none", match="^none$", evidence=[]), Cause.WRONG_TEXT),
    ],
)
def test_cause(one: AskedQuestion, cause: Cause) -> None:
    assert one.cause() is cause


def test_the_right_answer_may_be_an_alternative() -> None:
    one = asked(Answer.none(), best="Ellen")
    alternatives = (Alternative(Answer.span("Osk"), 0.3),)
    one = replace(one, result=replace(one.result, alternatives=alternatives))
    assert one.cause() is Cause.REJECTED


def test_a_text_that_the_reader_was_given_was_read() -> None:
    one = asked(Answer.span("Ellen"), found={OTHER: True, SENTENCE: False})
    assert one.ranks() == ["2 of 2"]
    one = replace(one, given=(f"{OTHER} {SENTENCE}",))
    assert one.cause() is Cause.WRONG_TEXT
    assert one.ranks() == ["2 of 2, read"]


def test_evidence_without_a_place() -> None:
    one = asked(Answer.span("Ellen"), found={OTHER: True})
    assert one.ranks() == ["not among 1"]
    assert replace(one, given=(SENTENCE,)).ranks() == ["read"]


def test_a_table_counts_the_wrong_ones_alone() -> None:
    some = [asked(Answer.span("Osk")), asked(Answer.span("Ellen"))]
    assert list(table("kind", some, lambda one: "single"))[2:4] == [
        "| single | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |",
        "| all | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |",
    ]


def test_a_sample_takes_the_kinds_in_turn() -> None:
    some = [asked(Answer.span("Ellen"), kind=kind) for kind in ("single",) * 9 + ("list",) * 2]
    kinds = [one.question.extra["kind"] for one in sample(some, 4, seed=1)]
    assert sorted(kinds) == ["list", "list", "single", "single"]
    assert sample(some, 4, seed=1) == sample(some, 4, seed=1)


def test_the_list_says_what_was_considered() -> None:
    lines = list(listing([asked(Answer.none(), best="in Osk")]))
    assert "   - considered: in Osk" in lines
    assert f"   - evidence: 1 of 1, read: {SENTENCE}" in lines
