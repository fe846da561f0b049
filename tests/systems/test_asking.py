"""How a dataset's questions are asked over a corpus, and how the search is judged."""

from __future__ import annotations

import pytest

from lacuna.datasets import get_dataset
from lacuna.evaluation.asking import SearchScores, followed_titles, judge_search
from lacuna.pipeline.result import Candidate, Result, Stage, Step
from lacuna.types import Answer, Document, Gold, Link, Prediction, Question

PASSAGE = Document("Page", "Ada and Tom", links=(Link(0, 3, "Ada"), Link(8, 11, "Tom")))


def question(id_: str, answer: Answer, *links: str) -> Question:
    return Question(id_, "Who?", PASSAGE, gold=Gold((answer,), links=links))


def result(answer: Answer, *followed: str) -> Result:
    found = tuple(Candidate(title, 0.0, title != "Tom") for title in followed)
    return Result("Who?", PASSAGE, Prediction(answer), (), (Step(Stage.SPOT, 1, "", found, 1.0),))


def judged(questions: list[Question], results: dict[str, Result]) -> SearchScores:
    predictions = {id_: each.prediction for id_, each in results.items()}
    followed = {id_: tuple(followed_titles(each)) for id_, each in results.items()}
    return judge_search(questions, predictions, followed)


def test_abstention_and_links_are_judged() -> None:
    some = Answer.span("Ada")
    asked = [
        question("1", Answer.none(), "Ada"),
        question("2", Answer.none()),
        question("3", some, "Ada", "Tom"),
        question("4", some, "ada"),
    ]
    found = judged(
        asked,
        {
            "1": result(Answer.none(), "Tom"),
            "2": result(some),
            "3": result(Answer.none(), "Ada", "Tom"),
            "4": result(some, "Ada"),
        },
    )
    assert found.abstention_precision == 0.5
    assert found.abstention_recall == 0.5
    assert found.links_recall == 0.75
    assert found.links_precision == 1.0
    assert found.links_f1 == pytest.approx(6 / 7)
    assert found.links_followed == 0.5


def test_nothing_to_judge_is_no_number() -> None:
    found = judged([question("1", Answer.span("Ada"))], {"1": result(Answer.span("Ada"))})
    assert found.abstention_precision is None
    assert found.links_recall is None
    assert found.links_precision is None
    assert found.links_f1 is None


def test_gold_links_are_given_only_where_the_setting_says_so() -> None:
    asked = question("1", Answer.span("Ada"), "Tom", "Lost")
    iirc, hotpotqa = get_dataset("iirc"), get_dataset("hotpotqa")
    assert iirc.setting("full").arrange(asked).context is PASSAGE
    given = iirc.setting("oracle-links").arrange(asked).context
    assert given is not None
    assert [link.target for link in given.links] == ["Tom", "Lost"]
    assert hotpotqa.setting("fullwiki").arrange(asked).context is None


def test_no_gold_link_does_not_tell_that_there_is_no_answer() -> None:
    oracle_links = get_dataset("iirc").setting("oracle-links")
    given = oracle_links.arrange(question("1", Answer.none())).context
    assert given is PASSAGE
