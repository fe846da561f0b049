"""Settings as they are given when a project is made."""

from __future__ import annotations

import pytest

from lacuna.errors import LacunaError
from lacuna_collect.project import set_by_hand
from lacuna_collect.tasks.task import TaskSettings

TASKS = {"write": TaskSettings(400, more={"paragraphs": 10}), "read": TaskSettings(300)}


def test_what_every_task_has_and_what_one_has() -> None:
    given = ["paragraphs=3", "inspect_first = 0", "read.pay_cents=250", "read.file=a=b.json"]
    got = set_by_hand(TASKS, [*given, "models=[]", "model_in_loop=true"], "write")
    assert got["write"] == TaskSettings(
        400, inspect_first=0, model_in_loop=True, more={"paragraphs": 3, "models": []}
    )
    assert got["read"] == TaskSettings(250, more={"file": "a=b.json"})
    assert TASKS["write"].more == {"paragraphs": 10}, "the task's own stay as they are"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("paragraphs", "NAME=VALUE"),
        ("=3", "NAME=VALUE"),
        ("raed.pay_cents=1", "read"),
        ("pay_cents=much", "write: pay_cents must be a whole number"),
        ("model_in_loop=1", "model_in_loop"),
    ],
)
def test_what_cannot_be_set_is_told(given: str, told: str) -> None:
    with pytest.raises(LacunaError, match=told):
        set_by_hand(TASKS, [given], "write")
