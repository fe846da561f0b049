"""The clause that defines what was asked about."""

from __future__ import annotations

import pytest

from lacuna.pipeline.shaping import asked_subject, defining_clause
from lacuna.types import Answer, Document, Evidence, Span


def clause(question: str, sentence: str, found: str, title: str = "D") -> str | None:
    document = Document(title, sentence, (Span(0, len(sentence)),))
    start = sentence.index(found)
    answer = Answer.span(found, Evidence(title, start, start + len(found)))
    defined = defining_clause(question, answer, document)
    if defined is None:
        return None
    (place,) = defined.found_at
    assert sentence[place.start : place.end] == defined.text
    return defined.text


@pytest.mark.parametrize(
    ("question", "sentence", "found", "expected"),
    [
        (
            "What is a sextant?",
            "A sextant is an instrument that measures the angle between two objects.",
            "instrument",
            "an instrument that measures the angle between two objects",
        ),
        (
            "What does mktree do?",
            "mktree - Build a tree object from text",
            "object",
            "Build a tree object from text",
        ),
        (
            "What is yeast?",
            "Yeast: a fungus used for baking; it needs sugar.",
            "fungus",
            "a fungus used for baking",
        ),
        (
            "What does the governor valve do?",
            "The governor valve limits the speed of the engine.",
            "speed",
            "limits the speed of the engine",
        ),
        (
            "What does TTL stand for?",
            "TTL (in the header) stands for time to live, and it is counted in hops.",
            "time",
            "time to live",
        ),
        (
            "Who was Ada Quill?",
            "Ada Quill was a Selmory novelist and beekeeper.",
            "novelist",
            "a Selmory novelist and beekeeper",
        ),
    ],
)
def test_a_word_becomes_its_clause(question: str, sentence: str, found: str, expected: str) -> None:
    assert clause(question, sentence, found) == expected


def test_it_is_what_the_page_is_about() -> None:
    sentence = "It is a mill driven by the tide."
    assert (
        clause("What is a tide mill?", sentence, "mill", "Tide mill") == "a mill driven by the tide"
    )


@pytest.mark.parametrize(
    ("question", "sentence", "found"),
    [
        ("What is a sextant?", "The captain is an old man with a sextant.", "old man"),
        (
            "What is a sextant?",
            "A sextant is an instrument that measures angles.",
            "an instrument that measures angles",
        ),
        ("When was the sextant made?", "A sextant is an old tool of 1731.", "1731"),
        ("What is a keel?", "A sextant is an instrument that measures angles.", "instrument"),
    ],
)
def test_what_is_no_definition_or_is_one_already_stays(
    question: str, sentence: str, found: str
) -> None:
    assert clause(question, sentence, found) is None


def test_a_long_clause_is_cut_at_a_comma() -> None:
    sentence = "A quay is a wall of stone at the water, " + "and more of it " * 12 + "still."
    assert clause("What is a quay?", sentence, "wall") == "a wall of stone at the water"


def test_what_is_to_be_explained() -> None:
    assert asked_subject("What is the purpose of the valve?") == "the valve"
    assert asked_subject("What does 'idempotent' mean?") == "idempotent"
