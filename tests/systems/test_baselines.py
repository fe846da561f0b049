"""Baselines by name: what they need, and that none but an upper bound sees the gold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

import lacuna
from lacuna.datasets.base import AnswersQuestion, Baseline
from lacuna.datasets.quac import QuAC
from lacuna.errors import LacunaError
from lacuna.types import Answer, Prediction, Question


def test_each_baseline_of_a_dataset_is_a_system(examples: Path, tmp_path: Path) -> None:
    quac = examples / "quac.json"
    training = tmp_path / "train.json"
    training.write_bytes(quac.read_bytes())
    names = [
        f"{baseline.name}:{training}" if baseline.learns else baseline.name
        for baseline in QuAC.baselines
    ]
    table = lacuna.evaluate(names, "quac", quac)
    assert [system.name for system in table.systems] == names
    scores = {system.name: system.report.official["f1"] for system in table.systems}
    assert scores["gold-sentence"] == max(scores.values())
    dialog = lacuna.evaluate(names[2], "quac", quac, setting="predicted-history")
    assert not dialog.systems[0].report.missing


@pytest.mark.parametrize("name", ["answer-type", "tfidf-sentence"])
def test_hotpotqas(name: str, examples: Path) -> None:
    (system,) = lacuna.evaluate(name, "hotpotqa", examples / "hotpotqa.json").systems
    assert not system.report.missing
    assert not system.report.lacking


def test_always_none_is_the_constant_row_of_iircs_table(examples: Path) -> None:
    (system,) = lacuna.evaluate("always-none", "iirc", examples / "iirc.json").systems
    assert system.report.abstention.recall == 1
    assert system.report.abstention.precision == pytest.approx(2 / 7)


def test_what_a_baseline_needs(examples: Path) -> None:
    quac, iirc = examples / "quac.json", examples / "iirc.json"
    with pytest.raises(LacunaError, match="--system transition-matrix:TRAIN"):
        lacuna.evaluate("transition-matrix", "quac", quac)
    with pytest.raises(LacunaError, match="learns nothing"):
        lacuna.evaluate("majority:train.json", "quac", quac)
    with pytest.raises(LacunaError, match=r"one of quac, not of iirc, .* always-none"):
        lacuna.evaluate("majority", "iirc", iirc)
    with pytest.raises(LacunaError, match="asks a corpus"):
        lacuna.evaluate("always-none", "iirc", iirc, setting="full")
    with pytest.raises(LacunaError, match="is the file that is to be answered"):
        lacuna.evaluate(f"transition-matrix:{quac}", "quac", quac)
    with pytest.raises(LacunaError, match="looks like iirc"):
        lacuna.evaluate(f"transition-matrix:{iirc}", "quac", quac)
    with pytest.raises(LacunaError, match=r"nowhere\.json"):
        lacuna.evaluate("transition-matrix:nowhere.json", "quac", quac)


def test_what_cannot_be_learned_from(examples: Path, tmp_path: Path) -> None:
    quac, training = examples / "quac.json", tmp_path / "train.json"
    raw = json.loads(quac.read_text())
    questions = [qa for item in raw["data"] for part in item["paragraphs"] for qa in part["qas"]]
    for question in questions:
        del question["answers"], question["orig_answer"]
    training.write_text(json.dumps(raw))
    with pytest.raises(LacunaError, match=r"train\.json has no question with an answer"):
        lacuna.evaluate(f"transition-matrix:{training}", "quac", quac)
    del questions[1]["question"]
    training.write_text(json.dumps(raw))
    with pytest.raises(LacunaError, match=r"qas\[1\]\.question.*Mend it\.$"):
        lacuna.evaluate(f"transition-matrix:{training}", "quac", quac)


def test_only_an_upper_bound_sees_the_gold(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, set[bool]] = {"blind": set(), "told": set()}

    def noting(name: str) -> Baseline:
        def open_(training: Iterable[Question]) -> AnswersQuestion:
            def answer(question: Question) -> Prediction:
                seen[name].add(question.gold is not None)
                return Prediction(Answer.none())

            return answer

        return Baseline(name, "notes what it sees", open_, upper_bound=name == "told")

    monkeypatch.setattr(QuAC, "baselines", (noting("blind"), noting("told")))
    lacuna.evaluate(["blind", "told"], "quac", examples / "quac.json")
    assert seen == {"blind": {False}, "told": {True}}
