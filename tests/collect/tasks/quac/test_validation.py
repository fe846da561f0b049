"""Validators answer one question after another, and what they say becomes the human row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from quac_site import let_in, make_quac_project

from lacuna.collect.live.dialogs import Dialogs, NoPair, Said
from lacuna.collect.live.ending import EndedBy
from lacuna.collect.project import CollectProject
from lacuna.collect.refused import RefusedError
from lacuna.collect.release.releasing import release
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.results import Assigned, Submitted
from lacuna.metrics.human_row import HumanRow

TASK, VALIDATION = "quac-dialogs", "quac-validation"
ANSWERS = ("in 1876", None, "A storm", "stands to this day")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path, people=1, percent_dev=100)
    yield made
    made.close()


def span(text: str, words: str | None, **acts: str) -> Json:
    if words is None:
        return {"kind": "none", "yesno": "x", **acts}
    start = text.index(words)
    return {"kind": "span", "start": start, "end": start + len(words), "yesno": "x", **acts}


def hold_dialog(project: CollectProject) -> tuple[int, int]:
    """A dialog of two people that is done; the student's and the teacher's numbers."""
    task = project.work.tasks[TASK]
    dialogs = Dialogs(project.database, project.work.tasks, task, task.task)  # type: ignore[arg-type]
    people = [let_in(project, name)[2] for name in ("Ada", "Ben")]
    begun = dialogs.begin(*people)
    assert not isinstance(begun, NoPair)
    assert begun.student is not None
    assert begun.teacher is not None
    text = begun.payload["text"]
    for number, words in enumerate(ANSWERS):
        asked = dialogs.say(
            begun.student, begun.id, f"q{number}", 2 * number, {"text": f"Question {number}?"}
        )
        answer = {"answer": span(text, words, followup="m")}
        said = dialogs.say(begun.teacher, begun.id, f"a{number}", 2 * number + 1, answer)
        assert isinstance(asked, Said)
        assert isinstance(said, Said)
    dialogs.leave(begun.id, EndedBy.STUDENT)
    return begun.student, begun.teacher


def begin(project: CollectProject, person: int) -> Assigned:
    found = project.work.next(person, VALIDATION)
    assert isinstance(found, Assigned), found
    return found


def validate(project: CollectProject, name: str, answers: tuple[str | None, ...]) -> None:
    person = let_in(project, name)[2]
    work = begin(project, person)
    for number, words in enumerate(answers):
        project.work.steps.answer(person, work.assignment, number, span(work.shown["text"], words))
    got = project.work.submit(person, work.assignment, {}, "k", 10)
    assert isinstance(got, Submitted), got


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
        validate(project, f"Vera {number}", more if number else ANSWERS)
    found = project.export(out)
    (item,) = json.loads((out / "dev.json").read_text())["data"]
    assert [len(qa["answers"]) for qa in item["paragraphs"][0]["qas"]] == [5] * len(ANSWERS)
    human = found["written"]["human"]["dev.json"]
    assert (human["questions"], human["HEQ"]) == (4, 100.0)
    # Two alike against three alike: each has an equal among the others.
    assert human["unfiltered_f1"] == pytest.approx(100.0)
    assert set(json.loads((out / "heq-cut-offs-dev.json").read_text())) == {
        qa["id"] for qa in item["paragraphs"][0]["qas"]
    }
    row = HumanRow.read(out / "human-dev.json")
    assert (row.people, row.measures["unfiltered_f1"]) == (5, human["unfiltered_f1"])
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
    scored = lacuna("evaluate", "quac", out / "dev.json")
    assert scored.code == 0, scored.err
    assert "human" in scored.out


def test_what_tells_of_answers_of_test_is_hidden(tmp_path: Path) -> None:
    project = make_quac_project(tmp_path, people=1, percent_test=100)
    hold_dialog(project)
    for number in range(4):
        validate(project, f"Vera {number}", ANSWERS)
    release(project, tmp_path / "web", title="Talks", licence="", board="")
    public = {path.name for path in (tmp_path / "web" / "data").iterdir()}
    assert public == {"train.json", "dev.json", "test.json", "human-test.json"}
    kept = {path.name for path in (project.folder / "kept-back").iterdir()}
    assert kept == {"test.json", "heq-cut-offs-test.json"}
    project.close()
