"""Tuning GapQA on a file; what is kept in the model's folder, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.evaluation.assignment import Assignment
from lacuna.evaluation.registry import NamedSystem
from lacuna.evaluation.tune import tune_gapqa
from lacuna.models.calibration import FEWEST
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.model_folder import SHIPPED, ModelSystem, find_model, write_config


def questions(path: Path, answered: int, unanswered: int) -> Path:
    choices = [{"label": "A", "text": "ice"}, {"label": "B", "text": "steam"}]
    rows: list[dict[str, Any]] = [
        {"id": str(n), "question": {"stem": "Which melts?", "choices": choices},
         "fact1": "ice melts in the sun", "answerKey": "AB"[n % 2]}
        for n in range(answered + unanswered)
    ]  # fmt: skip
    for row in rows[answered:]:
        del row["answerKey"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return shutil.copytree(SHIPPED / "gapqa", tmp_path / "model")


def config_of(model: Path) -> Any:
    return find_model(model, system=ModelSystem.GAPQA).config


def tuned(model: Path, file: Path) -> Any:
    system = NamedSystem.parse("gapqa", str(model))
    return tune_gapqa(Assignment("openbookqa", file, None, [system]), system)


def test_the_temperature_is_kept(model: Path, tmp_path: Path) -> None:
    before = config_of(model)
    fitted = tuned(model, questions(tmp_path / "q.jsonl", FEWEST, 3))
    assert fitted.questions == FEWEST, "those without an answer count for nothing"
    assert config_of(model) == {**before, "temperature": fitted.temperature}


def test_too_few_to_tell(model: Path, tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match=rf"{FEWEST - 1} questions .* too few"):
        tuned(model, questions(tmp_path / "q.jsonl", FEWEST - 1, 3))


@pytest.mark.parametrize("damaged", ["warm", 0, None])
def test_a_damaged_temperature_is_refused(model: Path, damaged: object) -> None:
    config = config_of(model)
    write_config(model, {**config, "temperature": damaged})
    with pytest.raises(LacunaError, match="must be a number above 0"):
        GapQAReader.load(model)
