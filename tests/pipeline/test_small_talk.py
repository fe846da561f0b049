"""What is typed and asks for no fact: advice instead of a report on what is missing."""

from __future__ import annotations

from typing import Any, cast

import pytest

import lacuna
from lacuna.models.reader.reader import ModelReader
from lacuna.models.registry import Reader
from lacuna.pipeline.dialog.conversation import Conversation
from lacuna.pipeline.result import Degree
from lacuna.pipeline.small_talk import ENGLISH_ONLY, HOW_TO_ASK, NO_SUMMARIES, advice_on

BUILT_IN: Reader = ModelReader(cast("Any", None), cast("Any", None))


class Foreign:
    """A reader of somebody else's."""


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("hello", HOW_TO_ASK),
        ("Thanks!", HOW_TO_ASK),
        ("ok, great, thank you very much", HOW_TO_ASK),
        ("What can you do?", HOW_TO_ASK),
        ("what can I ask here?", HOW_TO_ASK),
        ("help", HOW_TO_ASK),
        ("Summarize the security policy", NO_SUMMARIES),
        ("Can you please summarise this document?", NO_SUMMARIES),
        ("Give me a short overview of the handbook", NO_SUMMARIES),
        ("please write an email to the crew", NO_SUMMARIES),
        ("Wie viele Urlaubstage habe ich?", ENGLISH_ONLY),
        ("Qui est le directeur ?", ENGLISH_ONLY),
        ("¿Cuántos días de vacaciones tengo?", ENGLISH_ONLY),
        ("東京はどこですか", ENGLISH_ONLY),
        ("Was ist die Hauptstadt von Frankreich?", ENGLISH_ONLY),
    ],
)
def test_asks_for_no_fact(text: str, advice: str) -> None:
    assert advice_on(text, BUILT_IN) == advice


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote Der Ring des Nibelungen?",
        "is saigon now called ho chi minh city",
        "Is it fine?",
        "help desk hours",
        "How does it work?",
        "What can we do about mould?",
        "What is the summary of costs?",
        "Who wrote the report?",
        "And then?",
        "Yes",
        "No",
        "What does Ω stand for?",
        "Was the crew thanked?",
        "La Casa de Papel",
        "?",
    ],
)
def test_asks_for_a_fact(text: str) -> None:
    assert not advice_on(text, BUILT_IN)


def test_what_a_language_model_can_do_is_left_to_it() -> None:
    other = cast(Reader, Foreign())
    assert advice_on("hello", other) == HOW_TO_ASK
    assert not advice_on("Wie viele Urlaubstage habe ich?", other)
    assert not advice_on("Summarize the policy", other)


def test_a_wish_for_a_summary_gets_the_nearest_passages() -> None:
    result = lacuna.open_corpus().ask("Summarize the strike at Kelmouth")
    assert result.degree is Degree.NONE
    assert result.advice == NO_SUMMARIES
    assert not result.gaps
    assert result.confidence is None
    assert "Kelmouth Herring Strike" in [quote.document for quote in result.quotes]
    assert all(len(quote.text) <= 300 for quote in result.quotes)
    assert result.as_json()["advice"] == NO_SUMMARIES


def test_of_one_document_it_is_how_that_begins() -> None:
    islands = lacuna.open_corpus()
    query = lacuna.Query("Summarize this", title="Torrow")
    (quote,) = islands.ask(query).quotes
    assert (quote.document, quote.start) == ("Torrow", 0)


def test_thanks_is_no_turn_that_is_followed_up() -> None:
    dialog = Conversation(lacuna.open_corpus())
    dialog.ask("Who founded the Sandreth Courier?")
    thanks = dialog.ask("Thanks")
    assert (thanks.advice, thanks.read_as, thanks.quotes) == (HOW_TO_ASK, "", ())
    assert len(dialog.results) == 1
    assert dialog.ask("When was he born?").read_as == "When was Perrin Cobb born?"
