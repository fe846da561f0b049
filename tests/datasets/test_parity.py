"""The official scorers' numbers on awkward cases, to the last digit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna import get_dataset
from lacuna.metrics.report import Report, score_predictions

CASES = [
    ("hotpotqa", "hotpotqa", "hotpotqa_pred.json"),
    ("drop", "drop", "drop_pred.json"),
    ("iirc", "iirc", "iirc_pred.json"),
    ("squad", "squad2", "squad2_pred.json"),
    ("quac", "quac", "quac_pred.jsonl"),
]
CLOSE = 1e-9


def scored(parity: Path, dataset_name: str, name: str, predictions: str) -> Report:
    options = {}
    if name == "squad2":
        probabilities = json.loads((parity / "squad2_na_prob.json").read_text())
        options["no_answer_probability"] = probabilities
    dataset = get_dataset(dataset_name)
    with dataset.open(parity / f"{name}_gold.json", gold_only=True) as reader:
        return score_predictions(
            get_dataset(dataset_name).metric(**options),
            reader.questions(),
            dataset.read_predictions(parity / predictions),
        )


@pytest.mark.parametrize(("dataset_name", "name", "predictions"), CASES)
def test_the_official_numbers(parity: Path, dataset_name: str, name: str, predictions: str) -> None:
    wanted: dict[str, Any] = json.loads((parity / f"{name}_expected.json").read_text())
    report = scored(parity, dataset_name, name, predictions)
    found = report.as_json()
    each = wanted.pop("per_question", {})
    assert {key: found[key] for key in wanted} == pytest.approx(wanted, abs=CLOSE)
    for id_, numbers in each.items():
        assert found["per_question"][id_] == pytest.approx(numbers, abs=CLOSE), id_


@pytest.mark.parametrize(("dataset_name", "name", "predictions"), CASES)
def test_what_stands_beside_them(
    parity: Path, dataset_name: str, name: str, predictions: str
) -> None:
    report = scored(parity, dataset_name, name, predictions)
    kinds = report.as_json()["by_kind"]
    assert sum(numbers["questions"] for numbers in kinds.values()) == report.questions
    apart = [report.parts[part]["questions"] for part in ("answerable", "unanswerable")
             if part in report.parts]  # fmt: skip
    assert sum(apart) == report.questions
    for measure, bounds in report.interval.items():
        if measure in report.official and bounds:
            assert bounds[0] <= report.official[measure] <= bounds[1]


def test_missing_predictions_are_counted_aloud(parity: Path) -> None:
    report = scored(parity, "drop", "drop", "drop_pred.json")
    assert len(report.missing) == 10
    assert "10 of 200 questions HAVE NO PREDICTION" in report.warnings()[0]
