"""The test of QuAC's tasks tells nobody its answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from quac_site import let_in, make_quac_project
from sqlalchemy import delete

from lacuna_collect.database.tables import QUALIFICATION
from lacuna_collect.tasks.quac_dialogs import ASKED, TEXT
from lacuna_collect.work.assignments import Assigned

NONE = {"kind": "none", "yesno": "x"}


@pytest.mark.parametrize("task", ["quac-dialogs", "quac-validation"])
def test_who_answers_all_of_it_wrongly_learns_nothing(tmp_path: Path, task: str) -> None:
    project = make_quac_project(tmp_path, people=1)
    person = let_in(project, "Vera")[2]
    with project.database.begin() as transaction:
        transaction.execute(delete(QUALIFICATION))  # who has not taken it yet
    begun = project.work.next(person, task)
    assert isinstance(begun, Assigned), begun
    assert begun.is_test
    told = [begun.shown]
    for number in range(len(ASKED)):
        after = project.work.steps.answer(person, begun.assignment, number, NONE)
        assert isinstance(after, dict)
        told.append(after)
    assert [set(step) for step in told[-1]["done"]] == [{"question", "answer"}] * len(ASKED)
    assert told[-1]["done"][0]["answer"] == NONE
    words = json.dumps([one for one in told if one is not begun.shown])
    assert not [right for _, right, *_ in ASKED if right and right in words]
    assert begun.shown["text"] == TEXT
    project.close()
