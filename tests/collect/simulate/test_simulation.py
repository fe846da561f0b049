"""Scripted people over a real server: what was taken is there once, and makes a dataset."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna import demo
from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.metrics.comparison import HumanRow
from lacuna_collect.project import CollectProject
from lacuna_collect.simulate import demo_project
from lacuna_collect.simulate.demo_project import fill_demo, make_demo
from lacuna_collect.simulate.people import Habits, Simulation
from lacuna_collect.simulate.scripts import SCRIPTS, LearnedWork
from lacuna_collect.tasks.families import FAMILY_TASKS, family_named
from lacuna_collect.tasks.task import LiveTask


def test_every_task_has_a_script() -> None:
    tasks = {task.name: task for name in FAMILY_TASKS for task in family_named(name).tasks}
    assert set(tasks) == {task for tasks in FAMILY_TASKS.values() for task in tasks}
    # What two people do at once is talked, and not handed in.
    assert set(SCRIPTS) == {name for name, task in tasks.items() if not isinstance(task, LiveTask)}


def test_the_demo_is_filled_and_exported(tmp_path: Path) -> None:
    with make_demo(tmp_path / "demo") as project:
        diary = fill_demo(project, seconds=8)
        assert "two receipts for one piece of work" not in diary.happened
        assert max(Counter(diary.receipts).values()) == 1
        finished = project.work.finished.all()
        accepted = [f"S{one.submission}" for works in finished.values() for one in works]
        assert accepted
        assert max(Counter(accepted).values()) == 1
        assert set(accepted) <= set(diary.receipts)
        assert finished["iirc-answers"]
        out = tmp_path / "out"
        out.mkdir()
        project.export(out)
    with get_dataset("iirc").open(out / "train.json") as reader:
        assert list(reader)


def test_kgds_demo_is_filled_in_both_rounds(tmp_path: Path) -> None:
    with make_demo(tmp_path / "demo", "kgd-facts") as project:
        fill_demo(project, seconds=15)
        finished = project.work.finished.all()
        assert finished["kgd-gaps"], "round 2 follows from round 1"
        pairs = {(work.payload["id"], work.payload["fact"]) for work in finished["kgd-gaps"]}
        judged = {
            (work.payload["id"], fact)
            for work in finished["kgd-facts"]
            for fact in work.payload["facts"]
        }
        assert pairs <= judged
        out = tmp_path / "out"
        out.mkdir()
        project.export(out)
    with get_dataset("openbookqa").open(out / "train.jsonl") as reader:
        for question in reader.questions():
            assert question.gold is not None
            assert question.gold.evidence
            assert question.gold.relations


def test_quacs_demo_is_filled_with_dialogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_project, "PEOPLE", 2)
    monkeypatch.setattr(demo_project, "HABITS", Habits(errors=0, dropouts=0, pause=0))
    with make_demo(tmp_path / "demo", "quac-dialogs") as project:
        fill_demo(project, seconds=8)
        held = [work.work for work in project.work.finished.of("quac-dialogs")]
        assert held
        both = {(one["dialog"], role) for one in held for role in ("student", "teacher")}
        assert {(one["dialog"], one["role"]) for one in held} == both
        out = tmp_path / "out"
        out.mkdir()
        report = project.export(out)["written"]
    written = sum(split["dialogs"] for split in report["written"].values())
    assert written + report["left_out"]["dialogs"] == len(held) / 2
    for split in ("train", "dev", "test"):
        with get_dataset("quac").open(out / f"{split}.json") as reader:
            assert len(list(reader)) == report["written"][f"{split}.json"]["dialogs"]


def test_a_human_checks_demo_gives_a_row(tmp_path: Path) -> None:
    with make_demo(tmp_path / "demo", "human-check") as project:
        fill_demo(project, seconds=6)
        out = tmp_path / "out"
        out.mkdir()
        report = project.export(out)
    row = HumanRow.read(out / "human.json")
    assert (row.dataset, row.setting) == ("iirc", "full")
    assert (row.questions, row.people) == (
        report["written"]["questions"],
        report["written"]["people"],
    )


def test_a_demo_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="kgd-facts"):
        make_demo(tmp_path / "demo", "kgd-fact")


def test_scripted_people_know_the_tests(tmp_path: Path) -> None:
    for name in FAMILY_TASKS:
        folder = tmp_path / name
        with CollectProject.create(folder, family_named(name), demo.ARTICLES) as project:
            knowledge = LearnedWork(project.work.tasks)
            for task in project.tasks:
                for item in task.task.qualification(task.settings):
                    shown = task.task.shown(item.payload, task.settings)
                    work = knowledge.work(task.name, shown, Random(1), errors=1)
                    assert item.gold is not None
                    assert task.task.score(item.payload, work, item.gold) == 1


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with make_demo(tmp_path / "demo") as project:
        simulation = Simulation(project, "http://127.0.0.1:9", habits=Habits())
        with pytest.raises(LacunaError, match="Nothing answers"):
            simulation.run(2, 1)
        with pytest.raises(LacunaError, match="no address"):
            Simulation(project, "ftp://x", habits=Habits()).run(1, 1)


def test_the_same_people_come_back_to_work_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_project, "PEOPLE", 2)
    with make_demo(tmp_path / "demo") as project:
        fill_demo(project, seconds=2)
        names = [person.name for person in project.accounts.people()]
        fill_demo(project, seconds=2)
        assert [person.name for person in project.accounts.people()] == names
        monkeypatch.setattr("lacuna_collect.simulate.people.PASSWORD", "they forgot it")
        with pytest.raises(LacunaError, match=r"password is wrong.*project of its own"):
            fill_demo(project, seconds=1)
