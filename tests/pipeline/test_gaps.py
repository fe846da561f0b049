"""What is missing, in words."""

from __future__ import annotations

import pytest

from lacuna.pipeline.gaps import LONGEST_QUESTION, remaining_gap
from lacuna.pipeline.links import LinkTarget
from lacuna.pipeline.query import Query
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.windows import Window


def state(places: int, dangling: int = 0, question: str = "Who?") -> QuestionState:
    made = QuestionState(Query(question))
    made.ranked = {Window(f"Page {number}", 0, 9): 1.0 for number in range(places)}
    made.links = [LinkTarget(f"Gone {number}", 0.0, (), True, False) for number in range(dangling)]
    return made


@pytest.mark.parametrize(
    ("places", "said"),
    [(0, "No text was found"), (1, "The one place that"), (2, "None of the 2 places")],
)
def test_where_it_was_looked_for(places: int, said: str) -> None:
    assert remaining_gap(state(places)).missing.startswith(said)


@pytest.mark.parametrize(
    ("dangling", "said"),
    [
        (1, "in Gone 0, which is linked"),
        (2, "in Gone 0 or Gone 1, which are"),
        (4, "in Gone 0, Gone 1, Gone 2 or Gone 3, which are"),
        (9, "in Gone 0, Gone 1, Gone 2 or others, which are"),
    ],
)
def test_few_of_the_links_that_lead_nowhere_are_named(dangling: int, said: str) -> None:
    found = remaining_gap(state(1, dangling))
    assert said in found.missing
    assert len(found.dangling) == dangling


def test_a_long_question_is_not_said_again_in_full() -> None:
    missing = remaining_gap(state(1, question="why " * 5000)).missing
    assert len(missing) < LONGEST_QUESTION + 100
    assert missing.endswith("…”")
