"""Validators answer one question after another, and what they say becomes the human row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from quac_site import let_in, make_quac_project
from quac_talk import ANSWERS, VALIDATION, begin, hold_dialog, span, validate

from lacuna.metrics.comparison import HumanRow
from lacuna_collect.project import CollectProject
from lacuna_collect.refused import RefusedError
from lacuna_collect.work.assignments import Assigned, Submitted


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path, people=1, percent_dev=100)
    yield made
    made.close()


def test_what_comes_after_a_step_is_not_told_before_it(project: CollectProject) -> None:
    student, teacher = hold_dialog(project)
    for person in (student, teacher):
        assert not isinstance(project.work.next(person, VALIDATION), Assigned), "their own dialog"
    person = let_in(project, "Vera")[2]
    work = begin(project, person)
    told = json.dumps(work.shown) + json.dumps(project.work.steps.so_far(person, work.assignment))
    assert "Question 0?" in told
    assert "Question 1?" not in told
    assert '"given"' not in told
    text = work.shown["text"]
    after = project.work.steps.answer(person, work.assignment, 0, span(text, "four years"))
    assert isinstance(after, dict)
    assert after["done"][0]["given"]["text"] == "in 1876"
    assert after["next"] == {"question": "Question 1?"}


def test_an_answer_is_final(project: CollectProject) -> None:
    hold_dialog(project)
    person = let_in(project, "Vera")[2]
    work = begin(project, person)
    steps, text = project.work.steps, work.shown["text"]
    first = span(text, "four years")
    steps.answer(person, work.assignment, 0, first)
    again = steps.answer(person, work.assignment, 0, {**first, "more": "is left out"})
    assert isinstance(again, dict)
    assert len(again["done"]) == 1
    for number, words, code in ((0, "in 1876", "already-answered"), (2, "A storm", "out-of-order")):
        with pytest.raises(RefusedError) as refused:
            steps.answer(person, work.assignment, number, span(text, words))
        assert refused.value.code == code
    with pytest.raises(RefusedError) as refused:
        steps.answer(person, work.assignment, 99, first)
    assert refused.value.code == "no-such-step"
    other = let_in(project, "Max")[2]
    with pytest.raises(RefusedError) as refused:
        steps.so_far(other, work.assignment)
    assert refused.value.code == "no-such-assignment"


def test_what_is_handed_in_is_what_was_answered(project: CollectProject) -> None:
    hold_dialog(project)
    person = let_in(project, "Vera")[2]
    work = begin(project, person)
    text = work.shown["text"]
    forged = {"answers": [span(text, "in 1876")] * len(ANSWERS)}
    problems = project.work.submit(person, work.assignment, forged, "k", 1)
    assert isinstance(problems, list), "nothing was answered step by step"
    for number in range(len(ANSWERS)):
        project.work.steps.answer(person, work.assignment, number, span(text, None))
    assert isinstance(project.work.submit(person, work.assignment, forged, "k", 1), Submitted)
    (done,) = project.work.finished.of(VALIDATION)
    assert {answer["kind"] for answer in done.work["answers"]} == {"none"}


def test_what_is_no_answer(project: CollectProject) -> None:
    hold_dialog(project)
    person = let_in(project, "Vera")[2]
    work = begin(project, person)
    wrong: tuple[Any, ...] = (None, 3, [], {}, {"kind": "span"}, {"kind": ["span"]})
    for answer in wrong:
        assert isinstance(project.work.steps.answer(person, work.assignment, 0, answer), list)


def test_the_human_row(project: CollectProject, lacuna: Any, tmp_path: Path) -> None:
    hold_dialog(project)
    out = tmp_path / "out"
    report = project.export(out)["written"]
    assert report["left_out"]["reasons"] == {"waits for more answers by validators": 1}
    for number in range(4):
        more: tuple[str | None, ...] = ("in 1876", None, "A storm destroyed it", "stands")
        yes = {0: "y"} if number == 1 else {}
        validate(project, f"Vera {number}", more if number else ANSWERS, yes)
    found = project.export(out)
    (item,) = json.loads((out / "dev.json").read_text())["data"]
    assert [len(qa["answers"]) for qa in item["paragraphs"][0]["qas"]] == [5] * len(ANSWERS)
    human = found["written"]["human"]["dev.json"]
    row = HumanRow.read(out / "human-dev.json")
    assert human == row.as_json()
    assert (row.dataset, row.questions, row.people) == ("quac", 4, 5)
    assert (row.measures["HEQ"], row.measures["DHEQ"]) == (100, 100)
    # Two alike against three alike: each has an equal among the others.
    assert row.measures["unfiltered_f1"] == pytest.approx(100)
    # One of four validators says yes where the teacher said neither, in one question of four.
    assert row.measures["yes/no"] == pytest.approx(100 * 15 / 16)
    assert set(json.loads((out / "heq-cut-offs-dev.json").read_text())) == {
        qa["id"] for qa in item["paragraphs"][0]["qas"]
    }
    board = tmp_path / "board"
    for verb in (
        ("init", board, "--title", "Talks"),
        ("add", board, "quac", out / "dev.json", "--setting", "predicted-history", "--title", "T"),
        ("human", board, out / "human-dev.json"),
    ):
        ran = lacuna("board", *verb)
        assert ran.code == 0, ran.err
    agreement = found["agreement"][VALIDATION]
    assert agreement["questions"] == 4
    assert 0 < agreement["f1"] < 1
    assert lacuna("data", "check", "quac", out / "dev.json").code == 0
    beside = ("--setting", "predicted-history", "--human", out / "human-dev.json")
    scored = lacuna("evaluate", "quac", out / "dev.json", *beside)
    assert scored.code == 0, scored.err
    assert "Human performance in % (5 people, 4 questions" in scored.out
