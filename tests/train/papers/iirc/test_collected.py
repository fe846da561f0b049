"""What people collect can be trained on as it was exported."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna.collect.project import CollectProject
from lacuna.collect.simulate.demo_project import make_demo
from lacuna.collect.simulate.scripts import SCRIPTS
from lacuna.collect.work.results import Assigned, Submitted

TASKS = ("iirc-questions", "iirc-answers")
PASSWORD = "a long enough password"


def joined(project: CollectProject, name: str) -> int:
    code = project.accounts.invitations.invite()
    person = project.accounts.register(code, name, PASSWORD).person.id
    for task in TASKS:
        project.work.qualifications.set(person, task, passed=True)
    return person


def hand_in(project: CollectProject, person: int, task: str, random: Random) -> None:
    found = project.work.next(person, task)
    assert isinstance(found, Assigned), found
    work = SCRIPTS[task](found.shown, random, 0.0)
    got = project.work.submit(person, found.assignment, work, "once", 60)
    assert isinstance(got, Submitted), got
    for waiting in project.work.reviews.queue():
        project.work.reviews.accept(waiting.submission)


def test_one_step_on_what_was_collected(
    lacuna: Any, iirc_recipe: Callable[..., Path], encoder: Path, tmp_path: Path
) -> None:
    data, out = tmp_path / "data", tmp_path / "run"
    with make_demo(tmp_path / "project") as project:
        writer, reader = joined(project, "Wanda"), joined(project, "Will")
        random = Random(1)
        for person, task in ((writer, TASKS[0]), (reader, TASKS[1])) * 2:
            hand_in(project, person, task, random)
        (data / "iirc").mkdir(parents=True)
        project.export(data / "iirc")
    assert json.loads((data / "iirc" / "train.json").read_text("utf-8"))
    recipe = iirc_recipe("iirc-links", epochs=1, batch=64)
    ran = lacuna("train", recipe, "--data", data, "--out", out, "--encoder", encoder)
    assert ran.code == 0, ran.err
    with (out / "seed-1" / "losses.csv").open(newline="") as file:
        (epoch,) = csv.DictReader(file)
    assert float(epoch["loss"]) > 0
