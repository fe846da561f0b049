"""What is wrong with a recipe is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna_lab.train.recipe import load_recipe, make_recipe, read_toml

GOOD: dict[str, Any] = {"name": "a", "encoder": "b", "sources": {"squad1": 1}}


def test_whole_numbers_may_stand_for_others() -> None:
    made = make_recipe({**GOOD, "warmup": 0}, "here")
    assert made.sources == {"squad1": 1.0}
    assert isinstance(made.warmup, float)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"epoch": 2}, "no setting 'epoch'"),
        ({"epochs": "two"}, "'epochs' must be int"),
        ({"epochs": True}, "'epochs' must be int"),
        ({"epochs": 0}, "'epochs' must be more than 0"),
        ({"check_every": 0}, "'check_every' must be more than 0"),
        ({"held_out": 1.5}, "'held_out' must be from 0 to 1"),
        ({"precision": "fp8"}, "'precision'"),
        ({"sources": {}}, "nothing to learn from"),
        ({"sources": {"squad1": -1}}, "'squad1' must not be less than 0"),
        ({"sources": {"squad1": "all"}}, "'squad1' must be float"),
        ({"weights": {"answers": 1}}, "no head 'answers'"),
    ],
)
def test_a_wrong_setting_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(LacunaError, match=f"here: .*{said}"):
        make_recipe({**GOOD, **changes}, "here")


@pytest.mark.parametrize("missing", GOOD)
def test_a_missing_setting_is_named(missing: str) -> None:
    with pytest.raises(LacunaError, match=f"here: '{missing}' is missing"):
        make_recipe({name: value for name, value in GOOD.items() if name != missing}, "here")


def test_a_file_that_is_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="no recipe"):
        load_recipe(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("name = ")
    with pytest.raises(LacunaError, match="not valid TOML"):
        load_recipe(tmp_path / "bad.toml")


def test_the_recipes_that_come_along() -> None:
    paths = (Path(__file__).parents[2] / "recipes").glob("*.toml")
    of_the_reader = (path for path in paths if "system" not in read_toml(path))
    loaded = {path.stem: load_recipe(path).name for path in of_the_reader}
    assert loaded == {name: name for name in ("base", "found", "further", "second-look", "small")}
