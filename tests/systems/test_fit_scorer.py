"""What chooses among answers, fitted on judged ones."""

from __future__ import annotations

import random

import pytest

from lacuna.systems.fit_scorer import JudgedAnswer, fit_scorer, fit_weights


def questions(count: int, seed: int = 3) -> list[list[JudgedAnswer]]:
    """Two answers each: the more relevant one is right nine times of ten, the rank says nothing."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        usual = chance.random() < 0.9
        made.append(
            [
                JudgedAnswer({"relevance": 3.0, "rank": chance.random()}, "a", usual),
                JudgedAnswer({"relevance": -3.0, "rank": chance.random()}, "b", not usual),
            ]
        )
    return made


def test_the_weights_tell_right_from_wrong_and_how_often() -> None:
    scorer = fit_weights(questions(400))
    right, wrong = scorer.probabilities(
        [{"relevance": 3.0, "rank": 0.5}, {"relevance": -3.0, "rank": 0.5}]
    )
    assert right == pytest.approx(0.9, abs=0.04)
    assert wrong == pytest.approx(0.1, abs=0.04)
    assert abs(scorer.weights["rank"]) < scorer.weights["relevance"]


def test_where_nothing_is_right_none_is_likely() -> None:
    wrong = [[JudgedAnswer({"margin": -2.0}, "a", False)] for _ in range(30)]
    right = [[JudgedAnswer({"margin": 2.0}, "a", True)] for _ in range(30)]
    scorer = fit_weights([*wrong, *right])
    assert scorer.probabilities([{"margin": -2.0}])[0] < 0.2
    assert scorer.probabilities([{"margin": 2.0}])[0] > 0.8


def test_what_several_texts_say_counts_together() -> None:
    same = {"margin": 0.0}
    read = [JudgedAnswer(same, "a", False), *[JudgedAnswer(same, "b", True)] * 2]
    fitted = fit_scorer([read] * 20, [str(number % 2) for number in range(20)])
    assert fitted.right == 1.0


def test_its_worth_is_measured_on_groups_that_it_was_not_fitted_on() -> None:
    usual, upside_down = questions(100), questions(100, seed=4)
    upside_down = [[one._replace(right=not one.right) for one in pair] for pair in upside_down]
    fitted = fit_scorer([*usual, *upside_down], ["a"] * 100 + ["b"] * 100)
    assert fitted.right < 0.2  # each group was judged by what holds in the other
    assert fitted.best_possible == 1.0
    assert fitted.questions == 200


def test_questions_without_any_answer_are_no_hindrance() -> None:
    fitted = fit_scorer([*questions(20), []], [str(number % 2) for number in range(21)])
    assert fitted.questions == 21
    assert fitted.right < 1.0
