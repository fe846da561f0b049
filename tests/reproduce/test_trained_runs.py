"""Trained networks are known by their recipes, wherever they lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lacuna_lab.reproduce.workbench import NotHere, TrainedRuns


def write(folder: Path, config: object) -> None:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def test_all_seeds_of_a_recipe_are_found_in_any_folder(tmp_path: Path) -> None:
    about = {"recipe": {"name": "quac-0-ctx"}, "system": "quac-paper"}
    write(tmp_path / "a" / "seed-1", about)
    write(tmp_path / "elsewhere" / "b" / "seed-2", about)
    write(tmp_path / "other", {"recipe": {"name": "quac-1-ctx"}, "system": "quac-paper"})
    found = TrainedRuns(tmp_path).named("quac-0-ctx")
    assert [run.folder.name for run in found] == ["seed-1", "seed-2"]
    assert {run.system for run in found} == {"quac-paper"}


def test_a_network_that_went_on_from_another_is_none_from_scratch(tmp_path: Path) -> None:
    for folder, begin in (("scratch", ""), ("second", "runs/first/seed-1")):
        recipe = {"name": "hotpotqa-paper", "begin": begin}
        write(tmp_path / folder, {"recipe": recipe, "system": "hotpotqa-paper"})
    runs = TrainedRuns(tmp_path)
    for went_on, folders in (
        (True, ["second"]),
        (False, ["scratch"]),
        (None, ["scratch", "second"]),
    ):
        found = runs.named("hotpotqa-paper", went_on=went_on)
        assert [run.folder.name for run in found] == folders
    with pytest.raises(NotHere, match="'quac-0-ctx' that went on from another network"):
        runs.named("quac-0-ctx", went_on=True)


def test_what_is_no_run_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "encoder", {"hidden_size": 384})
    write(tmp_path / "list", [1])
    (tmp_path / "config.json").write_text("{half", encoding="utf-8")
    with pytest.raises(NotHere, match=r"no trained run of the recipe 'quac-0-ctx'"):
        TrainedRuns(tmp_path).named("quac-0-ctx")
