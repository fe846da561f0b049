"""HotpotQA's tables and figures, and the central question word."""

from __future__ import annotations

from pathlib import Path

import pytest
from described import describe_file, describe_items, value

from lacuna.datasets.base import Item
from lacuna.datasets.hotpotqa import question_type
from lacuna.types import Answer, Gold, Question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which team does the MVP play for?", "which team does"),
        ("Are both A and B rivers?", "are both a"),
        ("In which city was it built?", "in which city was"),
        ("By whom was it built?", "by whom was it"),
        ("The rock band whose singer died was formed in what year?", "in what year"),
        ("The first singer, who left, joined whom?", "whom"),  # the last, for want of an early one
        ("It was sung by the man who wrote it, when?", "was sung by"),  # among the first three
        ("Name the river.", ""),
        ("", ""),
    ],
)
def test_the_central_question_word(question: str, kind: str) -> None:
    assert " ".join(question_type(question)) == kind


def test_the_example_is_counted(examples: Path) -> None:
    parts = describe_file("hotpotqa", examples / "hotpotqa.json")
    assert value(parts["levels"], "hard") == 1
    assert value(parts["levels"], "medium", 3) == 56_814
    assert value(parts["types"], "comparison") == 1
    assert value(parts["question_types"], "on which island was") == 1
    assert value(parts["question_lengths"], "10–14") == 1
    assert value(parts["averages"], "answers that are yes or no, %") == 50.0
    assert value(parts["averages"], "supporting facts a question") == 2.5


def test_what_is_missing_is_named_and_the_rest_shown() -> None:
    parts = describe_items("hotpotqa", [Item.of(Question("1", "Name " + "it " * 90))])
    assert "'level'" in parts["levels"].missing
    assert "'type'" in parts["types"].missing
    assert parts["averages"].missing == (
        "1 questions have no field 'supporting_facts'. 1 questions have no field 'answer'."
    )
    assert value(parts["question_lengths"], "70+") == 1
    assert "1 questions have no question word" in parts["question_types"].note


def test_supporting_facts_that_are_missing_are_named_where_answers_are_there() -> None:
    asked = Question("1", "Who?", gold=Gold((Answer.span("Ada"),)))
    averages = describe_items("hotpotqa", [Item.of(asked)])["averages"]
    assert value(averages, "supporting facts a question") is None
    assert averages.missing == "1 questions have no field 'supporting_facts'."


def test_a_level_of_its_own_is_counted() -> None:
    parts = describe_items("hotpotqa", [Item.of(Question("1", "Who?", extra={"level": "new"}))])
    assert value(parts["levels"], "new", 2) == 100.0


def test_the_real_files_are_close_to_the_paper(data_folder: Path) -> None:
    parts = describe_file("hotpotqa", data_folder / "hotpotqa" / "train.json.gz")
    assert value(parts["averages"], "answers that are yes or no, %") == pytest.approx(6, abs=1)
    assert value(parts["averages"], "paragraphs a question") == pytest.approx(10, abs=0.2)
    assert parts["question_types"].table.rows[0][0] == "what is the"
