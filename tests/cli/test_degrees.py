"""Answers of all degrees, the alternatives, and what a follow-up was read as, as they are shown."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from typing import Any

import pytest
from refusing import refused

from lacuna.cli.answers import STYLES
from lacuna.pipeline.result import Alternative, Degree, Quote, Result
from lacuna.places import Place
from lacuna.types import Answer, Evidence, Gap, Prediction, Span

TEXT = "A daily scrum takes 15 minutes\x1b[2J."
MARK = Span(30, 40)
PLACE = Place("scrum.md", 3)
QUOTE = Quote("Scrum", ("Scrum", "Daily"), TEXT, 10, 10 + len(TEXT), (MARK,), place=PLACE)
HALF = "A review takes half an hour."
HOUR = Alternative(
    Answer.number(60, "", Evidence("Scrum", 0, 1), unit="minutes", expression="2 × 30"),
    0.214,
    (replace(QUOTE, text=HALF, marks=(), place=Place("review.md", 7)),),
)
LATER = Alternative(Answer.span("an\x07 hour", Evidence("Scrum", 0, 1)), 0.04)
PROBABLE = Result(
    "How long?",
    None,
    Prediction(Answer.span("15 minutes", Evidence("Scrum", 30, 40)), confidence=0.581),
    (QUOTE,),
    (),
    probable=True,
    measured=True,
    alternatives=(HOUR, LATER),
)
NONE = replace(
    PROBABLE,
    prediction=Prediction(Answer.none(), gaps=(Gap("how long it takes"),), confidence=0.7),
    quotes=(),
    probable=False,
)
READ = replace(PROBABLE, read_as="How long\x1b is a daily scrum?")


@pytest.fixture
def told(lacuna: Any, pipeline: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a verb prints for a made-up result."""

    def told(result: Result, *options: str, verb: str = "ask", typed: str = "How long?") -> str:
        monkeypatch.setattr(pipeline, "ask", lambda *_, **__: result)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        ran = lacuna(verb, *(["How long?"] if verb == "ask" else []), *options)
        assert ran.code == 0, ran.err
        out: str = ran.out
        return out

    return told


@pytest.fixture
def shown(told: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same on a terminal."""

    def shown(result: Result, *options: str) -> str:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "dumb")
        lines = told(result, *options).splitlines()
        return "".join(f"{line.rstrip()}\n" for line in lines)

    return shown


EVIDENCE = [
    "evidence: Scrum › Daily: A daily scrum takes «15 minutes»�[2J.",
    "source: scrum.md:3",
]
OTHERS = [
    "60 minutes",
    "its expression: 2 × 30",
    "its confidence: 0.21",
    "its evidence: Scrum › Daily: A review takes half an hour.",
    "its source: review.md:7",
]


def test_in_a_pipe_the_answer_stays_the_answer(told: Any) -> None:
    lines = told(PROBABLE).splitlines()
    assert lines == ["answer: 15 minutes", "degree: probable", "confidence: 0.58", *EVIDENCE]
    assert "degree" not in told(replace(PROBABLE, probable=False))
    assert "degree" not in told(NONE)


def test_on_a_terminal_it_is_probably(shown: Any) -> None:
    assert shown(PROBABLE).startswith("probably 15 minutes   58 % sure\n")
    assert shown(replace(PROBABLE, probable=False)).startswith("15 minutes   58 % sure\n")
    assert shown(NONE).startswith("No answer   70 % sure\n")


def test_each_degree_has_its_colour() -> None:
    assert STYLES.keys() == set(Degree)
    assert len(set(STYLES.values())) == 3


def test_alternatives_have_names_of_their_own(told: Any) -> None:
    first, *rest = OTHERS
    lines = told(PROBABLE, "--alternatives", "1").splitlines()
    assert lines[5:] == [f"alternative: {first}", *rest]
    lines = told(PROBABLE, "--alternatives", "5").splitlines()
    assert lines[-2:] == ["alternative: an� hour", "its confidence: 0.04"]


def test_what_was_not_sure_enough(told: Any) -> None:
    first, *rest = OTHERS
    lines = told(NONE, "--alternatives", "1").splitlines()
    assert lines[-5:] == [f"considered, and not sure enough: {first}", *rest]
    assert "considered" not in told(NONE)


def test_where_none_is_given_the_likeliest_is_told_with_its_place(told: Any, shown: Any) -> None:
    assert told(NONE).splitlines()[2:5] == [
        f"perhaps: {OTHERS[0]}", "its confidence: 0.21", "its source: review.md:7",
    ]  # fmt: skip
    assert "perhaps  60 minutes\n" in shown(NONE)
    assert "perhaps" not in told(NONE, "--alternatives", "1")
    assert "perhaps" not in told(PROBABLE)
    unlikely = replace(NONE, alternatives=NONE.alternatives[1:])
    assert "perhaps" not in told(unlikely)


def test_what_a_model_says_of_itself_is_not_called_measured(told: Any, shown: Any) -> None:
    own_word = replace(PROBABLE, measured=False)
    assert "confidence: 0.58\nmeasured: no, the model says so itself\n" in told(own_word)
    assert "58 % sure, says the model; not measured\n" in shown(own_word)
    assert "measured" not in told(PROBABLE) + shown(PROBABLE)


def test_advice_stands_in_the_place_of_an_answer(told: Any, shown: Any) -> None:
    nothing = replace(PROBABLE, prediction=Prediction(Answer.none()), alternatives=())
    advised = replace(
        nothing, advice="Ask for a fact.\x07", quotes=(replace(QUOTE, text=HALF, marks=()),)
    )
    assert told(advised) == (
        "answer: none\nadvice: Ask for a fact.�\n"
        f"nearest: Scrum › Daily: {HALF}\nsource: scrum.md:3\n"
    )
    assert shown(advised).startswith(f"Ask for a fact.�\n\n  {HALF}\n")
    assert "No answer" not in shown(advised)


def test_alternatives_on_a_terminal(shown: Any) -> None:
    out = shown(PROBABLE, "--alternatives", "2")
    assert "  other answers that were considered:\n" in out
    assert "    60 minutes  = 2 × 30   21 % sure\n      A review takes half an hour.\n" in out
    assert "      — Scrum › Daily  review.md:7\n" in out
    assert "an� hour   4 % sure" in out
    assert "  considered, and not sure enough:\n" in shown(NONE, "--alternatives", "2")
    assert "considered" not in shown(PROBABLE)


def test_in_a_dialog(told: Any) -> None:
    typed = "What is a daily\x1b scrum?\nHow long is it?\n"
    first, second = told(
        PROBABLE, "--alternatives", "1", verb="chat", typed=typed
    ).strip().split("\n\n")  # fmt: skip
    assert "read as" not in first
    lines = second.splitlines()
    assert lines[0] == "question: How long is it?"
    assert lines[1] == "read as: How long is the daily� scrum?"
    assert lines[2:4] == ["answer: 15 minutes", "degree: probable"]
    assert f"alternative: {OTHERS[0]}" in lines


def test_what_a_question_was_read_as_comes_first(shown: Any) -> None:
    read, headline, *_ = shown(READ).splitlines()
    assert read == "read as: How long� is a daily scrum?"
    assert headline.startswith("probably 15 minutes")


def test_json_has_it_all(told: Any) -> None:
    got = json.loads(told(READ, "--json"))
    assert (got["degree"], got["read_as"]) == ("probable", READ.read_as)
    assert [one["answer"]["text"] for one in got["alternatives"]] == ["60 minutes", "an\x07 hour"]
    assert got["alternatives"][0]["confidence"] == 0.214
    assert got["alternatives"][0]["quotes"][0]["place"]["text"] == "review.md:7"
    assert json.loads(told(NONE, "--json"))["read_as"] is None


def test_the_confidence_that_is_asked_for(told: Any, pipeline: Any) -> None:
    told(PROBABLE)
    told(PROBABLE, "--min-confidence", "0.9")
    assert [config.min_confidence for config in pipeline.configs] == [0.7, 0.9]


@pytest.mark.parametrize("verb", ["ask", "chat"])
def test_the_confidence_that_is_set(
    told: Any, pipeline: Any, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setenv("LACUNA_MIN_CONFIDENCE", "0.9")
    told(PROBABLE, verb=verb)
    assert [config.min_confidence for config in pipeline.configs] == [0.9]


@pytest.mark.parametrize("value", ["-0.1", "1.01", "70", "nan"])
def test_a_confidence_that_is_none(lacuna: Any, pipeline: Any, value: str) -> None:
    ran = lacuna("ask", "Who?", "--min-confidence", value)
    refused(ran, "from 0 to 1: 0.7 asks for 70 %")
    assert pipeline.configs == ()


@pytest.mark.parametrize("verb", [("ask", "Who?"), ("chat",), ("serve", "--port", "0"), ("mcp",)])
def test_a_set_confidence_that_is_none(
    lacuna: Any, pipeline: Any, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    monkeypatch.setenv("LACUNA_MIN_CONFIDENCE", "nan")
    refused(lacuna(*verb), "must be a number from 0 to 1")
    assert pipeline.configs == ()


def test_a_number_of_alternatives_that_is_none(lacuna: Any, pipeline: Any) -> None:
    for number in ("-1", "6", "some"):
        assert lacuna("ask", "Who?", "--alternatives", number).code == 2
    assert pipeline.asked == ()


@pytest.mark.parametrize("option", ["--min-confidence", "--alternatives"])
def test_a_question_with_choices_has_neither(lacuna: Any, option: str) -> None:
    ran = lacuna("ask", "Who?", "--choices", "A|B", "--fact", "So.", option, "1")
    refused(ran, f"{option} does not go with --choices")
