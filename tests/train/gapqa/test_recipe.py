"""What is wrong with a GapQA recipe is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import Shown
from lacuna_lab.gapqa.recipe import is_gapqa_recipe, load_gap_recipe, make_gap_recipe

GOOD: dict[str, Any] = {"name": "a", "encoder": "b"}
RECIPES = sorted((Path(__file__).parents[3] / "recipes").glob("gapqa-*.toml"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"epoch": 2}, "no setting 'epoch'"),
        ({"epochs": "two"}, "'epochs' must be int"),
        ({"seeds": ["one"]}, "'seeds' must be"),
        ({"seeds": []}, "'seeds' names none"),
        ({"kind": "lstm"}, "'kind' must be transformer or bilstm"),
        ({"knowledge": "books"}, "'knowledge' must be"),
        ({"relation_labels": "kgd"}, "'relation_labels' must be distant or annotated or none"),
        ({"batch": 0}, "'batch' must be more than 0"),
        ({"learning_rate": -1.0}, "'learning_rate' must be more than 0"),
        ({"held_out": 1.0}, "'held_out' must be from 0 to below 1"),
        ({"precision": "fp16"}, "'precision' must be no or bf16"),
        ({"kind": "bilstm", "only_spans": True}, "are for a transformer"),
        ({"kind": "bilstm", "only_heads": True}, "are for a transformer"),
    ],
)
def test_a_wrong_setting_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(LacunaError, match=f"here: .*{said}"):
        make_gap_recipe({**GOOD, **changes}, "here")


@pytest.mark.parametrize("missing", GOOD)
def test_a_missing_setting_is_named(missing: str) -> None:
    with pytest.raises(LacunaError, match=f"here: '{missing}' is missing"):
        make_gap_recipe({name: value for name, value in GOOD.items() if name != missing}, "here")


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({}, Shown()),
        ({"knowledge": "none"}, Shown(knowledge=False)),
        ({"knowledge": "none", "show_fact": False}, Shown(fact=False, knowledge=False)),
        ({"show_span": False, "knowledge": "omcs"}, Shown(span=False)),
    ],
)
def test_what_the_model_gets_to_see(changes: dict[str, Any], shown: Shown) -> None:
    assert make_gap_recipe({**GOOD, **changes}, "here").shown == shown


def test_the_recipes_that_come_along() -> None:
    assert [path.stem for path in RECIPES] == [
        *("gapqa-base", "gapqa-bilstm", "gapqa-kgd", "gapqa-relations"),
        *("gapqa-small", "gapqa-spans"),
    ]
    for path in RECIPES:
        assert is_gapqa_recipe(path)
        assert load_gap_recipe(path).name == path.stem
    assert not is_gapqa_recipe(RECIPES[0].with_name("small.toml"))
