"""Yes or no by calculation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.pipeline.comparing import compared
from lacuna.types import Document, Span


def page(text: str, title: str = "Page") -> Document:
    spans, start = [], 0
    for sentence in text.split(". "):
        spans.append(Span(start, min(len(text), start + len(sentence) + 1)))
        start += len(sentence) + 2
    return Document(title, text, tuple(spans))


def says(question: str, *texts: str) -> str | None:
    found = compared(question, [page(text, f"Page {at}") for at, text in enumerate(texts)])
    return None if found is None else found.answer.kind.value


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "Is the default timeout longer than 10 minutes?",
            "The default timeout is 900 seconds.",
            "yes",
        ),
        (
            "Is the default timeout longer than 20 minutes?",
            "The default timeout is 900 seconds.",
            "no",
        ),
        ("Is the tower more than 100 metres high?", "The tower is 88 m high.", "no"),
        ("Is the tower less than 300 feet high?", "The tower is 88 m high.", "yes"),
        (
            "Does the pool support more than 100 connections?",
            "The pool supports up to 500 connections.",
            "yes",
        ),
        (
            "Does the pool support more than 500 connections?",
            "The pool supports up to 500 connections.",
            "no",
        ),
        ("May a title have 80 characters?", "A title may have at most 60 characters.", "no"),
        ("May a title have 50 characters?", "A title may have at most 60 characters.", "yes"),
        (
            "Are 6 characters enough for a password?",
            "A password must have at least 8 characters.",
            "no",
        ),
        (
            "Must a password have more than 6 characters?",
            "A password has at least 8 characters.",
            "yes",
        ),
        ("Was the abbey founded before 1200?", "The abbey was founded in 1187.", "yes"),
        ("Was the abbey founded after 1200?", "The abbey was founded on 3 May 1187.", "no"),
        ("Was the abbey founded in 1187?", "The abbey was founded on 3 May 1187.", "yes"),
        ("Was the abbey founded in 1200?", "The abbey was founded in 1187.", "no"),
        ("Does a ticket cost less than $20?", "A ticket costs $18.50.", "yes"),
        ("Is the share of rye above 50%?", "The share of rye is 42 percent.", "no"),
        ("Is the guild larger than 40 members?", "The guild has nine members.", "no"),
    ],
)
def test_an_amount_in_the_question_is_compared(question: str, text: str, answer: str) -> None:
    assert says(question, f"It rains a lot. {text} Birds sing.") == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        # other things, other units, other subjects
        ("Is the default timeout longer than 10 minutes?", "The tower is 88 m high."),
        ("Is the default timeout longer than 10 minutes?", "The bus takes 900 seconds."),
        ("Does a ticket cost less than $20?", "A ticket costs 18 €."),
        ("Is the guild larger than 40 members?", "The guild has nine horses."),
        # not decided by what is there
        ("Is the meeting longer than 10 minutes?", "The meeting takes at most 15 minutes."),
        ("Is the path longer than 30 days old?", "The path may be a month old."),
        ("Are old drafts kept for more than 10 days?", "Drafts older than 15 days are deleted."),
        # denied
        (
            "Is the default timeout longer than 10 minutes?",
            "The default timeout is not 900 seconds.",
        ),
        (
            "Isn't the default timeout not longer than 10 minutes?",
            "The default timeout is 900 seconds.",
        ),
        # no comparison
        ("How long is the default timeout?", "The default timeout is 900 seconds."),
        ("Is the harbour deep?", "The harbour is 9 m deep."),
    ],
)
def test_nothing_is_decided_in_doubt(question: str, text: str) -> None:
    assert says(question, text) is None


def test_two_sentences_that_differ_decide_nothing() -> None:
    question = "Is the default timeout longer than 10 minutes?"
    assert says(question, "The default timeout is 900 s.", "The default timeout is 30 s.") is None


def test_the_comparison_is_shown_with_its_place() -> None:
    text = "The default timeout is 900 seconds."
    found = compared("Is the default timeout longer than 10 minutes?", [page(text)])
    assert found is not None
    assert found.expression == "900 seconds > 10 minutes: yes"
    assert found.answer.expression == found.expression
    (place,) = found.found_at
    assert text[place.start : place.end] == "900 seconds"


@pytest.mark.parametrize(
    ("question", "first", "second", "answer"),
    [
        (
            "Is Mount Osk higher than Mount Tern?",
            "Mount Osk is 3,204 m high.",
            "Mount Tern rises to 2,980 metres.",
            "yes",
        ),
        (
            "Was Brannet founded before Selmory?",
            "Brannet was founded in 1350.",
            "Selmory was founded in 1288.",
            "no",
        ),
        (
            "Is Ada Quill older than Ellen Voss?",
            "Ada Quill (3 May 1950 – 2 June 1999) wrote.",
            "Ellen Voss was born in 1948.",
            "no",
        ),
        (
            "Does Brannet have more districts than Osk?",
            "Brannet has nine districts.",
            "Osk has 12 districts.",
            "no",
        ),
        (
            "Is the Lune longer than the Tamble?",
            "The Lune is 80 km long.",
            "The Tamble is 40 miles long.",
            "yes",
        ),
    ],
)
def test_two_things_are_compared(question: str, first: str, second: str, answer: str) -> None:
    assert says(question, first, second) == answer
    assert says(question, f"{first} {second}") == answer


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Is Mount Osk higher than Mount Tern?", "Mount Osk is 3,204 m high.", "It is cold."),
        (
            "Was Brannet founded before Selmory?",
            "Brannet was founded in 1350.",
            "Selmory burned in 1288.",
        ),
        (
            "Is the Lune longer than the Tamble?",
            "The Lune is 80 km long.",
            "The Lune or Tamble is 40 or 50 km long.",
        ),
    ],
)
def test_two_things_need_both_amounts(question: str, first: str, second: str) -> None:
    assert says(question, first, second) is None


@given(st.text(max_size=60), st.text(max_size=100))
def test_nothing_is_thrown(question: str, text: str) -> None:
    compared(f"Is {question} more than 5 metres?", [Document("D", text)])
    compared(f"Is {question} older than {text}?", [Document("D", text)])
