"""The judge of strangers' questions, the tables, and outputs that are kept."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from benchmarks.asking.answers import (
    Outcome,
    changes,
    config_of,
    outcome_of,
    some_of,
    summary,
    table,
)
from benchmarks.asking.judged_collections import JudgedQuestion, says
from benchmarks.asking.kept_reader import Kept

from lacuna.datasets.real import Judgement
from lacuna.pipeline.result import Alternative, Result
from lacuna.types import Answer, Prediction


def stranger(
    id_: str = "1", *, wanted: tuple[str, ...] = ("at least 20 minutes",)
) -> JudgedQuestion:
    return JudgedQuestion(id_, "food", "fact", "How long?", None, wanted, source="fitted")


def yes_no(id_: str, pair: str, match: str) -> JudgedQuestion:
    return JudgedQuestion(id_, "food", "yes_no", "Is it?", match, pair=pair)


def outcome(question: JudgedQuestion, answer: Answer, sure: float, *others: Alternative) -> Outcome:
    prediction = Prediction(answer, confidence=sure)
    return outcome_of(question, Result("?", None, prediction, (), (), alternatives=others))


@pytest.mark.parametrize(
    ("wanted", "text", "same"),
    [
        ("20 minutes", "about 20 minutes", True),
        ("20 minutes", "twenty", True),
        ("20 minutes", "twelve minutes", False),
        ("four months", "4 months", True),
        ("April 30, 2019 12:00 UTC", "April 30, 2019", True),
        ("April 30, 2019 12:00 UTC", "April 29, 2019", False),
        ("1,519 km", "1519", True),
        ("1,519 km", "519 km", False),
        ("the Engineering Enablement team", "Engineering Enablement", True),
        ("the Engineering Enablement team", "the security team", False),
        ("--restrict-to-repository", "restrict to repository", True),
        ("it", "it", True),
        ("Pingdom", "", False),
    ],
)
def test_a_phrase_says_the_same_with_most_words_and_no_other_number(
    wanted: str, text: str, same: bool
) -> None:
    assert says(wanted, text) is same


def test_every_item_of_a_list_is_wanted() -> None:
    question = stranger(wanted=("PagerDuty", "Zendesk"))
    assert question.judge("PagerDuty; Zendesk; Splunk") is Judgement.RIGHT
    assert question.judge("PagerDuty") is Judgement.WRONG
    assert question.judge("none") is Judgement.WRONGLY_NONE


def test_patterns_decide_where_there_are_any() -> None:
    assert yes_no("1", "2", "^no$").judge("No.") is Judgement.RIGHT
    assert (
        JudgedQuestion("1", "food", "none", "?", "^none$").judge("none") is Judgement.RIGHTLY_NONE
    )


def test_an_alternative_that_is_likelier_than_none_is_counted() -> None:
    other = Alternative(Answer.span("20 minutes"), 0.4)
    one = outcome(stranger(), Answer.none(), 0.3, other)
    assert (one.likeliest, one.likeliest_right, one.considered_right) == ("20 minutes", True, True)
    assert "none below an alternative 1" in summary([one])


def test_a_pair_is_right_when_both_are() -> None:
    both = [
        outcome(yes_no("1", "2", "^yes$"), Answer.yes(), 0.9),
        outcome(yes_no("2", "1", "^no$"), Answer.no(), 0.6),
    ]
    half = [both[0], outcome(yes_no("2", "1", "^no$"), Answer.yes(), 0.6)]
    assert "pairs 1 of 1" in summary(both)
    assert "pairs 0 of 1" in summary(half)
    assert "AUC 1.0" in summary(half)
    assert next(changes({one.id: one for one in half}, both, 1)).startswith("**real** before: 1 of")


def test_the_table_counts_each_group_and_all() -> None:
    right = outcome(stranger(), Answer.span("20 minutes"), 0.9)
    none = outcome(stranger("2"), Answer.none(), 0.9)
    lines = list(table("kind", [right, none], ["fact", "list"]))
    assert lines[2] == "| fact | 1 | 1 | 0 | 0 | 0 of 0 | 1 | 1 |"
    assert lines[4] == "| all | 2 | 1 | 0 | 1 | 0 of 0 | 1 | 1 |"


def test_some_questions_and_both_of_a_pair() -> None:
    questions = [stranger("0"), yes_no("1", "2", "^yes$"), yes_no("2", "1", "^no$"), stranger("3")]
    every_second = some_of(questions, Namespace(every=2, kind=None))
    assert [one.id for one in every_second] == ["0", "3"]
    assert len(some_of(questions, Namespace(every=1, kind=["yes_no"]))) == 2


def test_a_number_of_the_configuration_keeps_its_type() -> None:
    assert config_of(["passages=20"]).passages == 20


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    made: list[list[int]] = []

    def make(missing: list[int]) -> list[str]:
        made.append(missing)
        return [f"value {number}" for number in missing]

    path = tmp_path / "kept.sqlite"
    assert Kept(path).all_of([b"a"], make) == ["value 0"]
    assert Kept(path).all_of([b"b", b"a"], make) == ["value 0", "value 0"]
    assert made == [[0], [0]]
