"""What chooses among answers, fitted on judged ones."""

from __future__ import annotations

import random
from itertools import cycle

import pytest

from lacuna.evaluation.tune import JudgedAnswer, JudgedQuestion, fit_scorer, fit_weights
from lacuna.types import Answer

A, B = Answer.span("a"), Answer.span("b")


def questions(count: int, seed: int = 3) -> list[list[JudgedAnswer]]:
    """Two answers each: the more relevant one is right nine times of ten, the rank says nothing."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        usual = chance.random() < 0.9
        made.append(
            [
                JudgedAnswer({"relevance": 3.0, "rank": chance.random()}, A, usual),
                JudgedAnswer({"relevance": -3.0, "rank": chance.random()}, B, not usual),
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
    wrong = [[JudgedAnswer({"margin": -2.0}, A, False)] for _ in range(30)]
    right = [[JudgedAnswer({"margin": 2.0}, A, True)] for _ in range(30)]
    scorer = fit_weights([*wrong, *right])
    assert scorer.probabilities([{"margin": -2.0}])[0] < 0.2
    assert scorer.probabilities([{"margin": 2.0}])[0] > 0.8


def judged(read: list[list[JudgedAnswer]], groups: str) -> list[JudgedQuestion]:
    """Answerable questions in groups of one letter each, over and over."""
    pairs = zip(read, cycle(groups), strict=False)
    return [JudgedQuestion(answers, group, answerable=True) for answers, group in pairs]


def test_what_several_texts_say_counts_together() -> None:
    same = {"margin": 0.0}
    read = [JudgedAnswer(same, A, False), *[JudgedAnswer(same, B, True)] * 2]
    assert fit_scorer(judged([read] * 20, "ab"), 0.3).right == 1.0


def test_its_worth_is_measured_on_groups_that_it_was_not_fitted_on() -> None:
    usual, upside_down = questions(100), questions(100, seed=4)
    upside_down = [[one._replace(right=not one.right) for one in pair] for pair in upside_down]
    fitted = fit_scorer([*judged(usual, "a"), *judged(upside_down, "b")], 0.3)
    assert fitted.right < 0.2  # each group was judged by what holds in the other
    assert fitted.given_wrong > 0.8
    assert fitted.best_possible == 1.0
    assert fitted.questions == 200


def test_what_is_given_and_what_is_refused_are_told_apart() -> None:
    right = [[JudgedAnswer({"margin": 2.0}, A, True)] for _ in range(20)]
    nothing = [
        JudgedQuestion([JudgedAnswer({"margin": -2.0}, A, False)], group, answerable=False)
        for group in "ab" * 10
    ]
    fitted = fit_scorer([*judged(right, "ab"), *nothing], 0.5)
    assert (fitted.given_right, fitted.given_wrong, fitted.refused) == (1.0, 0.0, 1.0)


def test_questions_without_any_answer_are_no_hindrance() -> None:
    fitted = fit_scorer(judged([*questions(20), []], "ab"), 0.3)
    assert fitted.questions == 21
    assert fitted.right < 1.0
