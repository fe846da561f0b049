"""``lacuna ask --choices``: what is shown of a filled gap, and what is refused."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import gap_filler
import pytest
import refusing

from lacuna.pipeline.gapqa import ChoiceResult
from lacuna.types import Question

NOTE = "Note: This asks the demo's knowledge; --knowledge DIR asks your own.\n"
ASK = ("ask", "Through which of these would heat pass quickly?")
FACT = ("--fact", "heat passes quickly through metals")
FOUR = ("--choices", "a wooden spoon|a steel ladle | a woollen mitten|a rubber ball")


def refused(ran: Any, *words: str) -> None:
    refusing.refused(ran, *words)
    assert gap_filler.GapAsker.asked == ()


def knowledge(tmp_path: Path, lacuna: Any, text: str) -> Path:
    (tmp_path / "triples.tsv").write_text(text, "utf-8")
    assert lacuna("knowledge", tmp_path / "triples.tsv", "--out", tmp_path / "base").code == 0
    return tmp_path / "base"


def test_one_line_for_each_fact(lacuna: Any, gapqa: Any) -> None:
    ran = lacuna(*ASK, *FOUR, *FACT)
    assert ran.code == 0
    assert ran.err == NOTE
    assert ran.out.splitlines() == [
        "answer: B: a steel ladle",
        "confidence: 0.43",
        "fact: heat passes quickly through «metals»",
        "relation: is a⁻¹ (of a part of the words)",
        "filled gap: a steel ladle is a kind of metals",
        "knowledge: steel is a kind of metal (triple, demo)",
        "knowledge: A steel ladle is metal from its bowl to its handle. (sentence, demo)",
        "knowledge: Steel is a strong metal made from iron and a little carbon. (sentence, demo)",
    ]
    (asked,) = gapqa.asked
    assert [tuple(choice) for choice in asked.choices] == [
        ("A", "a wooden spoon"),
        ("B", "a steel ladle"),
        ("C", "a woollen mitten"),
        ("D", "a rubber ball"),
    ]
    assert gap_filler.GapReader.loaded == (("gapqa", None),)


def test_the_back_off_is_said_as_such(lacuna: Any, gapqa: Any) -> None:
    ran = lacuna(*ASK, "--choices", "a quilt|a harp", *FACT)
    assert ran.code == 0
    said = "none; the model goes by the words “metals and a quilt” alone"
    assert ran.out.splitlines()[-2:] == [
        "missing: how “metals” and “a quilt” are related; nothing speaks of both",
        f"knowledge: {said}",
    ]


def test_a_gap_that_stays_open_is_said_as_such(
    lacuna: Any, gapqa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = knowledge(tmp_path, lacuna, "Antonym\ttin\tmetal\t1\tmine\n")
    asked = (*ASK, "--choices", "tin|wood", *FACT, "--knowledge", base)
    said = "missing: how “metals” and “tin” are related; no line is about these two alone"
    assert said in lacuna(*asked).out.splitlines()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert said in lacuna(*asked).out


def test_a_choice_that_is_the_key_span_has_no_gap(lacuna: Any, gapqa: Any) -> None:
    lines = lacuna(*ASK, "--choices", "Metals|wood", *FACT).out.splitlines()
    assert lines[-1] == "no gap: “Metals” is the key span itself", "and no knowledge besides"


def test_a_long_choice_is_told_once(lacuna: Any, gapqa: Any) -> None:
    long = "a ladle " + "of very old and very thin and badly bent steel " * 9
    lines = lacuna(*ASK, "--choices", f"{long}|wood", *FACT, "--trace").out.splitlines()
    assert lines[0].startswith(f"answer: A: {long}".rstrip())
    (missing,) = (line for line in lines if line.startswith("missing: "))
    assert "bent steel of very old and …” are related" in missing


def test_many_lines_are_cut_short(lacuna: Any, gapqa: Any, tmp_path: Path) -> None:
    rows = "".join(f"IsA\tsteel {n}\tmetal\t1\tmine\nIsA\ttin\tmetal {n}\t1\tmine\n" for n in "abc")
    sentences = tmp_path / "sentences.tsv"
    sentences.write_text("".join(f"mine\tTin is metal number {n}.\n" for n in "1234"), "utf-8")
    base = knowledge(tmp_path, lacuna, rows)
    assert lacuna("knowledge", sentences, "--out", base).code == 0
    ran = lacuna(*ASK, "--choices", "tin|wood", *FACT, "--knowledge", base)
    assert ran.err == ""
    lines = [line for line in ran.out.splitlines() if line.startswith("knowledge: ")]
    assert lines[0] == "knowledge: tin is a kind of metal a (triple, mine)"
    assert lines[-1] == "knowledge: and 2 more; --json shows all"
    assert len(lines) == 6


def test_the_trace_shows_every_choice(lacuna: Any, gapqa: Any) -> None:
    lines = lacuna(*ASK, *FOUR, *FACT, "--trace").out.splitlines()
    assert lines[-6:-4] == ["step 1: read, 12 ms: All was read.", "choices, 12 ms:"]
    assert lines[-3:-1] == [
        "  * 0.43  B: a steel ladle  “a steel ladle is a kind of metals”  fact 1.25, relation -0.50"
        ", 3 lines of knowledge",
        "  - 0.07  C: a woollen mitten  gap: open  fact 1.25, relation -0.50, nothing was found",
    ]


def test_json_tells_everything(lacuna: Any, gapqa: Any) -> None:
    told = json.loads(lacuna(*ASK, *FOUR, *FACT, "--json").out)
    assert told["answer"]["label"] == "B"
    assert told["answer"]["texts"] == ["a steel ladle"]
    assert told["key_span"]["text"] == "metals"
    assert told["quotes"][0]["text"] == "steel is a kind of metal"
    assert told["gaps"][0]["filled"] == "a steel ladle is a kind of metals"
    assert [len(choice["lines"]) for choice in told["choices"]] == [3, 4, 1, 2]


def test_on_a_terminal_the_choice_comes_first(
    lacuna: Any, gapqa: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    shown = lacuna(*ASK, *FOUR, *FACT).out
    assert shown.startswith("B: a steel ladle   43 % sure\n")
    assert "\n  heat passes quickly through metals  " in shown
    assert "a steel ladle is a kind of metals   is a⁻¹" in shown
    assert "— steel is a kind of metal (triple, demo)" in shown


def test_nothing_reaches_the_terminal_that_it_would_obey(lacuna: Any, gapqa: Any) -> None:
    fact = ("--fact", "heat passes \x1b[31m quickly through metals")
    ran = lacuna("ask", "Through what does\x07 heat pass?", "--choices", "t\x9bin|a", *fact)
    assert ran.code == 0
    assert not set("\x1b\x07\x9b") & set(ran.out + ran.err)


def test_the_fact_itself_is_no_knowledge(lacuna: Any, gapqa: Any, tmp_path: Path) -> None:
    sentences = tmp_path / "sentences.tsv"
    sentences.write_text("mine\tHeat passes quickly through metal.\nmine\tHeat melts metal.\n")
    base = tmp_path / "base"
    assert lacuna("knowledge", sentences, "--out", base).code == 0
    ran = lacuna(*ASK, "--choices", "heat|wood", *FACT, "--knowledge", base)
    assert [line for line in ran.out.splitlines() if line.startswith("knowledge: ")] == [
        "knowledge: Heat melts metal. (sentence, mine)"
    ]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ("a steel ladle", "at least two"),
        ("", "at least two"),
        ("a|b||d", "Choice C is empty"),
        ("|b", "Choice A is empty"),
        ("a| \n", "Choice B is empty"),
        ("|".join("abc" * 9), "27 choices"),
    ],
)
def test_choices_that_are_none(lacuna: Any, gapqa: Any, choices: str, words: str) -> None:
    refused(lacuna(*ASK, "--choices", choices, *FACT), words)


def test_options_that_do_not_go_together(lacuna: Any, gapqa: Any) -> None:
    refused(lacuna(*ASK, *FOUR), "--fact", "begins at a fact")
    refused(lacuna(*ASK, *FACT), "--fact belongs to a question with choices")
    refused(lacuna(*ASK, "--knowledge", "base"), "--knowledge belongs")
    for option, value in (
        ("--context", "-"),
        ("--in", "Torrow"),
        ("--corpus", "notes"),
    ):
        refused(lacuna(*ASK, *FOUR, *FACT, option, value), f"{option} does not go with --choices")


def test_what_is_empty_or_not_there(lacuna: Any, gapqa: Any, tmp_path: Path) -> None:
    refused(lacuna(*ASK, *FOUR, "--fact", " "), "no core fact")
    refused(lacuna("ask", " ", *FOUR, *FACT), "The question is empty")
    refused(lacuna(*ASK, *FOUR, *FACT, "--model", "huge"), "There is no model huge")
    for folder in (tmp_path, tmp_path / "gone"):
        refused(lacuna(*ASK, *FOUR, *FACT, "--knowledge", folder), "holds no knowledge")


def test_a_model_without_knowledge_names_no_relation(
    lacuna: Any, gapqa: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = gapqa.ask

    def without(self: Any, question: Question) -> ChoiceResult:
        result: ChoiceResult = whole(self, question)
        return replace(result, choices=tuple(replace(one, lines=()) for one in result.choices))

    monkeypatch.setattr(gapqa, "ask", without)
    traced = lacuna(*ASK, *FOUR, *FACT, "--trace").out.splitlines()
    assert traced[-1] == "  - 0.14  D: a rubber ball  fact 1.25"
    lines = traced[: traced.index("step 1: read, 12 ms: All was read.")]
    assert [line.split(": ")[0] for line in lines] == ["answer", "confidence", "fact", "knowledge"]
    assert lines[-1].startswith("knowledge: this model reads none")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert "a kind of" not in lacuna(*ASK, *FOUR, *FACT).out
