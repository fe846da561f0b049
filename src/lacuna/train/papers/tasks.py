"""The papers' networks by the names that recipes and `lacuna evaluate` give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.models.model_folder import ModelSystem
from lacuna.train.papers.bidaf.recipe import SpanRecipe
from lacuna.train.papers.bidaf.task import SpanTask
from lacuna.train.papers.hotpotqa.recipe import HotpotRecipe
from lacuna.train.papers.hotpotqa.task import HotpotTask
from lacuna.train.papers.openbookqa.recipe import ChoiceRecipe
from lacuna.train.papers.openbookqa.task import ChoiceTask
from lacuna.train.papers.quac.recipe import DialogRecipe
from lacuna.train.papers.quac.task import DialogTask
from lacuna.train.papers.recipe import PaperRecipe
from lacuna.train.papers.task import PaperTask
from lacuna.train.recipe import checked_settings, read_toml


@dataclass(frozen=True, slots=True)
class PaperKind:
    """What a paper's recipe looks like, and what is done with it."""

    recipe: type[PaperRecipe]
    task: Callable[[Any], PaperTask]


KINDS: Mapping[str, PaperKind] = {
    ModelSystem.HOTPOTQA_PAPER: PaperKind(HotpotRecipe, HotpotTask),
    ModelSystem.QUAC_PAPER: PaperKind(DialogRecipe, DialogTask),
    ModelSystem.BIDAF: PaperKind(SpanRecipe, SpanTask),
    ModelSystem.QUESTION_TO_CHOICE: PaperKind(ChoiceRecipe, ChoiceTask),
    ModelSystem.ESIM: PaperKind(ChoiceRecipe, ChoiceTask),
    ModelSystem.KER: PaperKind(ChoiceRecipe, ChoiceTask),
}


def is_paper_recipe(path: Path) -> bool:
    """Whether a recipe is one for a paper's own network."""
    return read_toml(path).get("system") in KINDS


def load_paper_task(path: Path) -> PaperTask:
    """Read a recipe; unknown settings and wrong types are errors."""
    return make_paper_task(read_toml(path), str(path))


def make_paper_task(raw: dict[str, Any], where: str) -> PaperTask:
    """What a recipe of plain values is about."""
    if raw.get("system") not in KINDS:
        raise LacunaError(f"{where}: 'system' must be {' or '.join(KINDS)}.")
    kind = KINDS[raw["system"]]
    recipe = kind.recipe(**checked_settings(raw, kind.recipe, ("name", "system"), where))
    recipe.check(where)
    return kind.task(recipe)
