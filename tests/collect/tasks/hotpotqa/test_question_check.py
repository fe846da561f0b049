"""What the server says to a question about two paragraphs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs_at_hand import GOOD, PAIRS, payload_of

from lacuna.corpus.store import Store
from lacuna_collect.tasks.hotpotqa import FAMILY
from lacuna_collect.tasks.task import FieldProblem, Json

TASKS = {task.name: task for task in FAMILY.tasks}
TASK = TASKS["hotpotqa-questions"]
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(("question", "answer", "supporting", "x")), inner)
    ),
    max_leaves=12,
)


def fields(payload: Json, work: Any) -> list[str]:
    return [problem.field for problem in TASK.check(payload, work, TASK.settings)]


def with_changes(corpus: Store, kind: str, **changes: Any) -> list[str]:
    return fields(payload_of(corpus, kind), {**GOOD[kind], **changes})


@pytest.mark.parametrize("kind", PAIRS)
def test_good_work_is_taken(corpus: Store, kind: str) -> None:
    assert with_changes(corpus, kind) == []


def test_the_answer_stands_in_a_paragraph_as_whole_tokens(corpus: Store) -> None:
    assert with_changes(corpus, "bridge", answer="Grell") == ["answer"]
    assert with_changes(corpus, "bridge", answer="Paris") == ["answer"]
    assert with_changes(corpus, "bridge", answer="grellby") == ["answer"]
    assert with_changes(corpus, "bridge", answer="yes") == ["answer"]
    assert with_changes(corpus, "comparison", answer="884") == ["answer"]
    assert with_changes(corpus, "comparison", answer="1,884 days") == []
    assert with_changes(corpus, "yes/no", answer="24 metres") == ["answer"]


def test_other_capitals_are_told_as_the_paragraph_has_them(corpus: Store) -> None:
    work = {**GOOD["bridge"], "answer": "grellby"}
    (problem,) = TASK.check(payload_of(corpus, "bridge"), work, TASK.settings)
    assert "“Grellby”" in problem.message


def test_all_that_is_wrong_is_said_at_once(corpus: Store) -> None:
    changes = {"question": "Where was Roke born?", "answer": "Grell", "supporting": []}
    found = with_changes(corpus, "bridge", **changes)
    assert found == ["supporting", "question", "answer"]


def test_names_are_complete(corpus: Store) -> None:
    asked = "Where was Roke born, who designed Marrow Light?"
    assert with_changes(corpus, "bridge", question=asked) == ["question"]
    asked = "Where was Tilda Roke born, who designed Marrow Light?"
    assert with_changes(corpus, "bridge", question=asked) == []
    asked = "Which is higher, the Light or Holm Beacon?"
    assert with_changes(corpus, "comparison", question=asked) == ["question"]
    asked = "Which is higher, the first one or Holm Beacon?"
    assert with_changes(corpus, "comparison", question=asked) == ["question"]


def test_a_question_stands_by_itself(corpus: Store) -> None:
    asked = "Where was the engineer of the first paragraph born?"
    assert with_changes(corpus, "bridge", question=asked) == ["question"]
    asked = "Was the engineer of Marrow Light born in Grellby?"
    assert with_changes(corpus, "bridge", question=asked) == ["question"]
    assert with_changes(corpus, "bridge", question="Where " * 131) == ["question"]
    assert with_changes(corpus, "bridge", question="\ud800 where is it?") == ["question"]
    assert with_changes(corpus, "bridge", question="Where\0 is it now?") == ["question"]


def test_sentences_of_both_paragraphs_support_it(corpus: Store) -> None:
    assert with_changes(corpus, "bridge", supporting=[[1, 1]]) == ["supporting"]
    assert with_changes(corpus, "bridge", supporting=[[0, 1], [1, 9]]) == ["supporting"]
    assert with_changes(corpus, "bridge", supporting=[[0, True], [1, 1]]) == ["supporting"]
    assert with_changes(corpus, "bridge", supporting=[[0, 1], [1, 1], [1, 1]]) == ["supporting"]
    without_the_answer = [[0, 1], [1, 0]]
    assert with_changes(corpus, "bridge", supporting=without_the_answer) == ["supporting"]


@settings(max_examples=300, deadline=None)
@given(work=ANY_JSON, kind=st.sampled_from(sorted(PAIRS)))
def test_whatever_json_says_gives_problems_and_no_error(
    corpus: Store, work: Any, kind: str
) -> None:
    problems = TASK.check(payload_of(corpus, kind), work, TASK.settings)
    assert problems
    assert all(isinstance(problem, FieldProblem) for problem in problems)
    assert all(problem.message for problem in problems)


@settings(max_examples=200, deadline=None)
@given(
    work=st.fixed_dictionaries(
        {"question": st.text() | ANY_JSON, "answer": st.text(), "supporting": ANY_JSON}
    )
)
def test_the_right_fields_with_anything_in_them(corpus: Store, work: Any) -> None:
    TASK.check(payload_of(corpus, "bridge"), work, TASK.settings)
    item = TASK.qualification(TASK.settings)[0]
    assert 0 <= TASK.score(item.payload, work, item.gold or {}) <= 1


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from(("hotpotqa-categories", "hotpotqa-lists", "hotpotqa-hops")),
    work=ANY_JSON
    | st.fixed_dictionaries({"askable": ANY_JSON})
    | st.fixed_dictionaries({"needs": ANY_JSON}),
)
def test_the_other_tasks_bear_anything_too(name: str, work: Any) -> None:
    task = TASKS[name]
    item = task.qualification(task.settings)[0]
    if not task.check(item.payload, work, task.settings):
        assert set(work) <= {"askable", "needs"}
    assert 0 <= task.score(item.payload, work, item.gold or {}) <= 1
