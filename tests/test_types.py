from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

from lacuna import Answer, AnswerKind, Document, Evidence, Link, Question, Section, Span


def test_everything_is_frozen_and_slotted() -> None:
    document = Document("Ferry", "It sails.")
    with pytest.raises(dataclasses.FrozenInstanceError):
        document.title = "Boat"  # type: ignore[misc]
    assert not hasattr(document, "__dict__")


@pytest.mark.parametrize(
    "piece",
    [
        {"sentences": (Span(0, 10),)},
        {"sentences": (Span(5, 3),)},
        {"links": (Link(-1, 2, "Tarn"),)},
        {"paragraphs": (Span(9, 11),)},
        {"sections": (Section(("Ferry",), 0, 99),)},
    ],
)
def test_a_document_refuses_offsets_outside_its_text(piece: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="'Ferry' has 9 characters"):
        Document("Ferry", "It sails.", **piece)  # type: ignore[arg-type]


def test_evidence_refuses_a_span_that_runs_backwards() -> None:
    with pytest.raises(ValueError, match="from 5 to 3"):
        Evidence("Ferry", 5, 3)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Answer.span("Ruth Quill"), "Ruth Quill"),
        (Answer.spans(("Corrie", "Port Ellery")), "Corrie; Port Ellery"),
        (Answer.number(27, unit="years", expression="1958 - 1931"), "27 years"),
        (Answer.number(1204, "1,204"), "1,204"),
        (Answer.number(1234567), "1234567"),
        (Answer.number(1958.251), "1958.251"),
        (Answer.number(12.0, unit="years"), "12 years"),
        (Answer.yes(), "yes"),
        (Answer.no(), "no"),
        (Answer.none(), "none"),
        (Answer.choice("B", "a copper kettle"), "B: a copper kettle"),
        (Answer.choice("B"), "B"),
    ],
)
def test_every_kind_of_answer_has_a_text(answer: Answer, text: str) -> None:
    assert answer.text == text


def test_the_kinds_of_answer_are_the_seven_of_the_design() -> None:
    assert [str(kind) for kind in AnswerKind] == [
        "span",
        "spans",
        "number",
        "yes",
        "no",
        "none",
        "choice",
    ]


def test_questions_can_be_kept_in_a_set() -> None:
    question = Question("q1", "Who?", extra={"level": ["hard"]})
    assert question in {question}


def test_importing_lacuna_loads_nothing_heavy() -> None:
    heavy = "numpy", "scipy", "rich", "typer", "msgspec", "pydantic", "torch"
    code = f"import sys, lacuna; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
