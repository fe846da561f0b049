"""A human row is written, read again, and stands beside its own questions alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.metrics.comparison import HumanRow

ROW = HumanRow("hotpotqa", "distractor", 1000, 12, "2026-11-17", {"em": 0.836, "f1": None})


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "human.json"
    ROW.write(path)
    said = json.loads(path.read_text("utf-8"))
    assert said == {
        "dataset": "hotpotqa",
        "setting": "distractor",
        "questions": 1000,
        "people": 12,
        "made": "2026-11-17",
        "measures": {"em": 0.836, "f1": None},
    }
    assert HumanRow.read(path) == ROW


def test_it_is_a_table_in_percent() -> None:
    table = ROW.table(("em", "sp_em"), scale=1)
    assert (table.columns, table.rows) == (("measure", "human"), (("em", 83.6), ("sp_em", None)))
    bound = HumanRow("squad", "may-abstain", 1, 1, "", {"f1": 90.0}, {"f1": 95.0})
    assert bound.table(("f1",), scale=100).rows == (("f1", 90.0, 95.0),)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"dataset": 3}, "field dataset: expected a text"),
        ({"questions": True}, "field questions: expected a whole number"),
        ({"measures": {}}, "field measures: expected measures"),
        ({"measures": {"em": "high"}}, r"field measures\.em: expected a number"),
        ({"upper_bound": []}, "field upper_bound"),
    ],
)
def test_what_is_wrong_is_told_by_name(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    path = tmp_path / "human.json"
    ROW.write(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}), "utf-8")
    with pytest.raises(LacunaError, match=told):
        HumanRow.read(path)


def test_what_is_no_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "human.json"
    path.write_text("[1]")
    with pytest.raises(LacunaError, match="no human row"):
        HumanRow.read(path)


def test_it_stands_beside_its_own_questions_alone() -> None:
    ROW.check("hotpotqa", "distractor")
    with pytest.raises(LacunaError, match="for hotpotqa, distractor, and not for hotpotqa, gold"):
        ROW.check("hotpotqa", "gold-only")
