"""Odd questions with choices get a sound answer or a clear refusal, from the shipped model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from refusing import refused

from lacuna.models.gapqa.gapqa_reader import DEFAULT
from lacuna.models.model_folder import SHIPPED, WEIGHTS

STEM = "Through which of these would heat pass quickly?"
FACT = "heat passes quickly through metals"


@pytest.fixture(autouse=True)
def model() -> None:
    if not (SHIPPED / DEFAULT / WEIGHTS).is_file():
        pytest.skip("GapQA's model is not in this checkout")


def ask(lacuna: Any, choices: str, *more: str | Path, stem: str = STEM, fact: str = FACT) -> Any:
    """Everything that is told of the answer, after a look at whether it is sound."""
    ran = lacuna("ask", stem, "--choices", choices, "--fact", fact, *more, "--json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    offered = [part.strip() for part in choices.split("|")]
    assert [one["text"] for one in told["choices"]] == offered
    (answer,) = told["answer"]["texts"]
    assert answer in offered
    assert 0 <= told["confidence"] <= 1
    assert sum(one["probability"] for one in told["choices"]) == pytest.approx(1, abs=0.01)
    start, end = told["key_span"]["start"], told["key_span"]["end"]
    assert 0 <= start < end <= len(told["fact"])
    for one in told["choices"]:
        assert one["lines"][-1]["kind"] == "back-off"
        assert all(0 <= value <= 1 for value in one["relations"])
    shown = lacuna("ask", stem, "--choices", choices, "--fact", fact, *more, "--trace")
    assert shown.code == 0, shown.err
    assert shown.out.startswith(f"answer: {told['answer']['label']}: ")
    return told


def test_an_everyday_question(lacuna: Any) -> None:
    told = ask(lacuna, "a wooden spoon|a steel ladle|a woollen mitten|a rubber ball")
    assert told["answer"]["label"] == "B"
    assert told["key_span"]["text"] == "metals"
    assert told["quotes"]


def test_a_fact_that_shares_no_word_with_the_question(lacuna: Any) -> None:
    ask(lacuna, "an owl|a rabbit|a cow|a moth", fact="granite is an igneous rock")


@pytest.mark.parametrize("choices", ["x|y|z|w", "a|b|c|d", "1|2|3|4", "?|!|.|…", "是|否"])
def test_choices_of_one_letter(lacuna: Any, choices: str) -> None:
    told = ask(lacuna, choices)
    assert not told["quotes"]


def test_a_choice_of_200_words(lacuna: Any) -> None:
    long = " ".join(["steel", "ladle", "and", "wooden", "spoon"] * 40)
    ask(lacuna, f"{long}|a rubber ball|a candle|ice")


def test_texts_beyond_what_is_read_at_once(lacuna: Any) -> None:
    long = " ".join(["ladle"] * 5000)
    arguments = ("ask", STEM, "--choices", f"{long}|wood", "--fact", FACT)
    refused(lacuna(*arguments), "shorter")
    refused(lacuna("ask", STEM, "--choices", "steel|wood", "--fact", long), "shorter")


def test_no_triples_at_all(lacuna: Any, tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("mine\tThe moon circles the earth.\n")
    base = tmp_path / "base"
    assert lacuna("knowledge", tmp_path / "s.tsv", "--out", base).code == 0
    told = ask(lacuna, "a steel ladle|a rubber ball|ice|wool", "--knowledge", base)
    assert not told["quotes"]
    ran = lacuna("ask", STEM, "--choices", "tin|ice", "--fact", FACT, "--knowledge", base)
    assert "knowledge: none; the model goes by the words" in ran.out


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_fewer_or_more_than_four_choices(lacuna: Any, count: int) -> None:
    things = ("a steel ladle", "wood", "wool", "ice", "rubber", "paper", "a candle", "a leaf")
    ask(lacuna, "|".join(things[:count]))


def test_knowledge_with_broken_rows(lacuna: Any, tmp_path: Path) -> None:
    rows = "IsA\tsteel\tmetal\t1\tmine\nIsA\tsteel\nnonsense\n"
    (tmp_path / "t.tsv").write_text(rows)
    base = tmp_path / "base"
    ran = lacuna("knowledge", tmp_path / "t.tsv", "--out", base)
    assert ran.code == 1
    assert "2 broken rows were left out" in ran.err
    assert ask(lacuna, "steel|wood", "--knowledge", base)["choices"][0]["lines"][0] is not None


def test_a_fact_of_stop_words_and_one_of_a_single_word(lacuna: Any) -> None:
    ask(lacuna, "steel|wood|wool|ice", fact="it is what it is")
    ask(lacuna, "steel|wood|wool|ice", fact="metal")


def test_a_model_that_is_none(lacuna: Any, tmp_path: Path) -> None:
    arguments = ("ask", STEM, "--choices", "steel|wood", "--fact", FACT, "--model")
    refused(lacuna(*arguments, "huge"), "huge")
    refused(lacuna(*arguments, "small"), "no GapQA model")
    refused(lacuna(*arguments, str(tmp_path)), str(tmp_path))


def test_the_demo_is_answered_far_better_than_by_chance(lacuna: Any) -> None:
    ran = lacuna("evaluate", "openbookqa", "--system", "gapqa", "--json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert told["missing_predictions"] == 0
    assert told["accuracy"] >= 0.5, "a quarter would be right by chance"


@pytest.mark.parametrize("fact", ["\u200b", "\x01", "\ufffd"])
def test_a_fact_without_a_single_word_piece(lacuna: Any, fact: str) -> None:
    refused(lacuna("ask", STEM, "--choices", "steel|wood", "--fact", fact), "fact")
