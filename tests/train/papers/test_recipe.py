"""What is wrong with the recipe of a paper's network is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna_lab.papers.run import is_paper_recipe, load_paper_task, make_paper_task

RECIPES = Path(__file__).parents[3] / "recipes"
HOTPOT: dict[str, Any] = {"name": "a", "system": "hotpotqa-paper"}
QUAC: dict[str, Any] = {"name": "a", "system": "quac-paper"}
IIRC: dict[str, Any] = {"name": "a", "system": "iirc-paper"}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({**HOTPOT, "system": "rnet"}, "'system' must be hotpotqa-paper or quac-paper or"),
        ({"system": "quac-paper"}, "'name' is missing"),
        ({**HOTPOT, "epoch": 2}, "no setting 'epoch'"),
        ({**HOTPOT, "history": 2}, "no setting 'history'"),
        ({**QUAC, "setting": "gold-only"}, "no setting 'setting'"),
        ({**HOTPOT, "batch": 0}, "'batch' must be more than 0"),
        ({**HOTPOT, "dropout": 1.0}, "'dropout' must be from 0 to below 1"),
        ({**HOTPOT, "seeds": []}, "'seeds' names none"),
        ({**HOTPOT, "at_most": -1}, "'at_most' must not be less"),
        ({**HOTPOT, "setting": "fullwiki"}, "'setting' must be distractor or"),
        ({**HOTPOT, "support_weight": -1}, "'support_weight' must not be less"),
        ({**HOTPOT, "support_threshold": 2}, "'support_threshold' must be from 0 to 1"),
        ({**HOTPOT, "leave_out_levels": ["harder"]}, "no level 'harder'"),
        ({**QUAC, "history": -1}, "'history' must not be less"),
        ({**IIRC, "vectors": "glove.txt"}, "no setting 'vectors'"),
        ({**IIRC, "steps": 0}, "'steps' must be more than 0"),
        ({**IIRC, "head_rate": 0}, "'head_rate' must be more than 0"),
        ({**IIRC, "system": "iirc-links", "threshold": 2}, "'threshold' must be from 0 to 1"),
        ({**IIRC, "system": "iirc-context", "wrong_windows": -1}, "'wrong_windows' must not be"),
        ({**IIRC, "system": "iirc-unanswerable", "reads": "all"}, "'reads' must be question or"),
    ],
)
def test_a_wrong_setting_is_named(raw: dict[str, Any], said: str) -> None:
    with pytest.raises(LacunaError, match=f"here: .*{said}"):
        make_paper_task(raw, "here")


def test_the_recipes_that_come_along() -> None:
    papers = [path for path in RECIPES.glob("**/*.toml") if is_paper_recipe(path)]
    names = {path: load_paper_task(path).recipe.name for path in papers}
    assert {path.stem for path in papers} >= {"hotpotqa-paper", "quac-paper", "0-ctx", "gold-only"}
    assert len(set(names.values())) == len(papers)
