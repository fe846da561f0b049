"""What chooses among answers, fitted on judged ones."""

from __future__ import annotations

import random

import pytest

from lacuna.systems.fit_scorer import JudgedAnswer, fit_logistic, fit_scorer


def questions(count: int, seed: int = 3) -> list[list[JudgedAnswer]]:
    """Two answers each: the more relevant one is right nine times of ten, the rank says nothing."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        relevant_is_right = chance.random() < 0.9
        made.append(
            [
                JudgedAnswer({"relevance": 3.0, "rank": chance.random()}, relevant_is_right),
                JudgedAnswer({"relevance": -3.0, "rank": chance.random()}, not relevant_is_right),
            ]
        )
    return made


def test_the_weights_tell_right_from_wrong_and_how_often() -> None:
    scorer = fit_logistic(questions(400))
    assert scorer.probability({"relevance": 3.0, "rank": 0.5}) == pytest.approx(0.9, abs=0.04)
    assert scorer.probability({"relevance": -3.0, "rank": 0.5}) == pytest.approx(0.1, abs=0.04)
    assert abs(scorer.weights["rank"]) < 0.5 * scorer.weights["relevance"]


def test_its_worth_is_measured_on_groups_that_it_was_not_fitted_on() -> None:
    usual, upside_down = questions(100), questions(100, seed=4)
    upside_down = [[JudgedAnswer(a.features, not a.right) for a in pair] for pair in upside_down]
    fitted = fit_scorer([*usual, *upside_down], ["a"] * 100 + ["b"] * 100)
    assert fitted.right < 0.2  # each group was judged by what holds in the other
    assert fitted.best_possible == 1.0
    assert fitted.questions == 200


def test_a_question_counts_once_however_many_answers_were_read() -> None:
    many = [[JudgedAnswer({"margin": 1.0}, False)] * 50]
    few = [[JudgedAnswer({"margin": 1.0}, True)]] * 3
    assert fit_logistic([*many, *few]).probability({"margin": 1.0}) == pytest.approx(0.75, abs=0.01)


def test_questions_without_any_answer_are_no_hindrance() -> None:
    fitted = fit_scorer([*questions(20), []], [str(number % 2) for number in range(21)])
    assert fitted.questions == 21
    assert fitted.right < 1.0
