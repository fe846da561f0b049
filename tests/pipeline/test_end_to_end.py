"""The shipped model over the demo corpus: what any model of the kind must do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lacuna
from lacuna.pipeline.dialog.conversation import Conversation
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import LONGEST_QUESTION
from lacuna.pipeline.result import Result

LONG = "How long was the ship and who had built it? " * 1200


@pytest.fixture(scope="module")
def islands() -> Iterator[Pipeline]:
    pipeline = lacuna.open_corpus(threads=1)
    with pipeline.store:
        yield pipeline


def holds(pipeline: Pipeline, result: Result) -> None:
    """Every quote and every mark stands where it says."""
    for quote in result.quotes:
        text = pipeline.store.document(quote.document).text
        assert text[quote.start : quote.end] == quote.text
        assert all(quote.start <= mark.start < mark.end <= quote.end for mark in quote.marks)
    for place in result.answer.found_at:
        assert place.document in pipeline.store


def test_a_number_over_two_links_keeps_its_calculation(islands: Pipeline) -> None:
    question = "How old was Agnes Penhale when the Kelmouth Herring Strike began?"
    result = islands.ask(question)
    assert result.answer.text == "25 years"
    assert "1911" in result.answer.expression
    assert "1886" in result.answer.expression
    assert {quote.document for quote in result.quotes} == {
        "Agnes Penhale",
        "Kelmouth Herring Strike",
    }
    holds(islands, result)


def test_a_span_behind_a_link(islands: Pipeline) -> None:
    question = "Who was the first governor of the bank that paid for the line?"
    result = islands.ask(lacuna.Query(question, title="Skelder Light Railway"))
    assert result.answer.text == "Idony Cress"
    assert result.quotes[0].document == "Bank of Selmory"
    holds(islands, result)


def test_what_nobody_wrote_down_is_a_gap(islands: Pipeline) -> None:
    result = islands.ask("What is the motto of Sandreth University?")
    assert result.answer.kind is lacuna.AnswerKind.NONE
    (gap,) = result.prediction.gaps
    assert any("Sandreth University" in place for place in gap.looked_in)
    assert gap.nearest is not None


@pytest.mark.xfail(strict=True, reason="the weights take the number of students for it")
def test_a_number_of_other_things_is_no_answer(islands: Pipeline) -> None:
    result = islands.ask("How many professors does Sandreth University have?")
    assert result.answer.kind is lacuna.AnswerKind.NONE


def test_a_follow_up_finds_whom_it_is_about(islands: Pipeline) -> None:
    dialog = lacuna.Conversation(islands)
    assert dialog.ask("Who founded the Sandreth Courier?").answer.text == "Perrin Cobb"
    born = dialog.ask("When was he born?")
    assert "1840" in born.answer.text
    holds(islands, born)


@pytest.mark.parametrize(
    "question", ["誰がそれを建てましたか", "?!", "\x1b[31m\x00", "Ω" * 100, "wer war es " * 10]
)
def test_odd_questions_get_an_answer_a_gap_or_advice(islands: Pipeline, question: str) -> None:
    result = islands.ask(question)
    assert result.quotes or result.prediction.gaps or result.advice
    json.dumps(result.as_json())
    holds(islands, result)


def test_a_question_that_is_too_long_is_refused(lacuna: Any) -> None:
    assert len(LONG) > 50_000
    ran = lacuna("ask", LONG)
    assert ran.code == 2
    assert ran.out == ""
    assert "Ask it shorter" in ran.err
    assert len(ran.err) < 500


def test_of_a_long_question_the_part_that_asks_is_read(islands: Pipeline) -> None:
    before = "I have read about the islands for many weeks now, and still I do not know it. "
    question = f"{before * 23}When was Gannery Light first lit?"
    assert 1_800 < len(question) <= LONGEST_QUESTION
    result = islands.ask(question)
    assert result.question == question
    assert result.read_as == "When was Gannery Light first lit?"
    assert result.answer.text == islands.ask(result.read_as).answer.text == "2 October 1856"
    assert result.read_as in result.steps[0].message
    holds(islands, result)


@pytest.mark.parametrize("text", ["なぜ" * 1_000, "why " * 500, "?" * 2_000, "a" * 2_000])
def test_all_that_is_within_the_limit_is_answered(islands: Pipeline, text: str) -> None:
    result = islands.ask(text)
    assert result.quotes or result.prediction.gaps or result.advice
    assert text.startswith(result.read_as)


def test_a_long_follow_up_is_read_in_part_too(islands: Pipeline) -> None:
    dialog = Conversation(islands)
    dialog.ask("Who founded the Sandreth Courier?")
    before = "I have read about the islands for many weeks now, and still I do not know it. "
    result = dialog.ask(f"{before * 23}When was he born?")
    assert result.read_as == "When was Perrin Cobb born?"
    assert result.answer.text == "28 March 1840"


def test_a_folder_of_ones_own(examples: Path) -> None:
    notes = lacuna.open_corpus(examples / "notes", threads=1)
    result = notes.ask("Who was the first master of the Marrow?")
    assert result.answer.text == "Ada Quill"
    holds(notes, result)
