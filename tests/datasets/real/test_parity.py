"""Answers are judged as the script judges them that comes with the real questions."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.datasets import get_dataset
from lacuna.datasets.convert import Summary
from lacuna.datasets.real import matches, outcome
from lacuna.metrics.calibration import discrimination

REAL = os.environ.get("LACUNA_REAL", "")
pytestmark = pytest.mark.skipif(not REAL, reason="LACUNA_REAL names no folder")

ODD = ["", " ", "none", "None.", " NONE ", "yes", "Yes.", "no", "No..", "not yes", "3", "3.0",
       "3,000", "three", "it's none of these", "none\n", "é", "a; b"]  # fmt: skip


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ask", Path(REAL) / "ask.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    singles: list[dict[str, Any]] = json.loads((Path(REAL) / "questions.json").read_text("utf-8"))
    dialogs = json.loads((Path(REAL) / "dialogs.json").read_text("utf-8"))
    return [*singles, *(turn for dialog in dialogs for turn in dialog["turns"])]


def test_every_pattern_on_many_answers(script: ModuleType, questions: list[dict[str, Any]]) -> None:
    for at, question in enumerate(questions):
        neighbours = [other["gold"] for other in questions[max(at - 5, 0) : at + 6]]
        sentences = [evidence["sentence"] for evidence in question["evidence"]]
        for text in (*ODD, *neighbours, *sentences, f"{question['gold']}.", question["question"]):
            match = question["match"]
            assert matches(match, text) == script.matches(match, text)
            assert outcome(match, text) == script.outcome(match, text), (match, text)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        (
            "questions",
            {"single": 84, "two-hop": 31, "number": 24, "yesno": 48, "list": 24, "none": 30},
        ),
        ("dialogs", {"1": 12, "2": 12, "3": 12, "4": 12}),
    ],
)
def test_the_files_are_read_and_given_back(
    tmp_path: Path, name: str, counts: dict[str, int]
) -> None:
    dataset, source = get_dataset("real"), Path(REAL) / f"{name}.json"
    summary = Summary(dataset)
    with dataset.open(source) as reader:
        for _ in summary.counted(reader):
            pass
    with dataset.open(source) as reader:
        dataset.copy(reader, tmp_path / "again.json")
    found = summary.as_json()
    assert found.get("type", found.get("turn")) == counts
    assert found["oddities"] == {}
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == json.loads(
        source.read_text("utf-8")
    )


confidences = st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9]) | st.floats(0, 1), max_size=20)


@given(confidences, confidences, confidences)
def test_the_area(
    script: ModuleType, right: list[float], wrong: list[float], though_none: list[float]
) -> None:
    outcomes = {"right": right, "wrong": wrong, "answered though none": though_none}
    rows = [
        {"outcome": name, "confidence": value}
        for name, values in outcomes.items()
        for value in values
    ]
    assert discrimination(right, [*wrong, *though_none]) == pytest.approx(script.auc(rows))
