"""A GapQA run on one page of TOML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.models.gapqa.question_rows import Shown
from lacuna.train.recipe import check_positive, checked_settings, read_toml

SYSTEM = "gapqa"
TRANSFORMER, BILSTM = "transformer", "bilstm"
RULE = "rule"
MIXED = "kgd"
POSITIVE = ("epochs", "batch", "learning_rate", "head_learning_rate", "patience")
CHOICES = {
    "kind": (TRANSFORMER, BILSTM),
    "questions": ("short", "all", MIXED),
    "knowledge": ("all", "triples", "wordnet", "omcs", "none"),
    "retrieve_by": ("span", "fact"),
    "relation_labels": ("distant", "annotated", "none"),
}


@dataclass(frozen=True, slots=True)
class GapRecipe:
    """Everything that decides what a run learns. Defaults are the paper's where it names any."""

    name: str
    encoder: str
    """For a transformer a model folder of the reader's, or a plain encoder's folder or name; for
    a BiLSTM a file of word vectors in GloVe's format."""
    kind: str = TRANSFORMER
    system: str = SYSTEM
    spans: str = RULE
    """Where key spans for the search come from: the rule, or the folder of a trained model."""
    only_spans: bool = False
    """Learn nothing but key spans: the first of the steps."""
    only_heads: bool = False
    """Go on from a GapQA model: its heads learn to name relations, and choose as they did. That is
    quick, even without a GPU."""
    relation_pretraining: int = 0
    """With only_heads: so many triples of each relation to learn from, besides the examples."""
    questions: str = "all"
    """Those with short choices, all, or as the paper mixes them (kgd): KGD's, with the spans that
    people chose, and OBQA-Short's."""
    at_most: int = 0
    """So many of these questions, the first ones; 0 means all."""
    knowledge: str = "all"
    leave_out: tuple[str, ...] = ()
    """Beginnings of names of sources whose sentences are not looked up."""
    retrieve_by: str = "span"
    relation_labels: str = "distant"
    """Relations of the right choice: KGD's, or else by triples (distant); KGD's alone
    (annotated), so that other questions teach the choice only; or none."""
    show_fact: bool = True
    show_span: bool = True
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    epochs: int = 4
    batch: int = 16
    learning_rate: float = 5e-5
    head_learning_rate: float = 1e-3
    relation_weight: float = 1.0
    """The paper's lambda."""
    line_weight: float = 1.0
    """How much it counts that a triple says its own relation."""
    span_weight: float = 0.5
    held_out: float = 0.0
    """The share of training questions that choose the best epoch; never a dev file. Without any,
    the last epoch counts."""
    patience: int = 10
    """Epochs without a better one before a run stops."""
    precision: str = "bf16"

    @property
    def shown(self) -> Shown:
        """What the model gets to see."""
        return Shown(self.show_fact, self.knowledge != "none", self.show_span)


def is_gapqa_recipe(path: Path) -> bool:
    """Whether a recipe is one for GapQA."""
    return read_toml(path).get("system") == SYSTEM


def load_gap_recipe(path: Path) -> GapRecipe:
    """Read a recipe; unknown settings and wrong types are errors."""
    return make_gap_recipe(read_toml(path), str(path))


def make_gap_recipe(raw: dict[str, Any], where: str) -> GapRecipe:
    """A recipe from plain values."""
    recipe = GapRecipe(**checked_settings(raw, GapRecipe, ("name", "encoder"), where))
    for name, allowed in CHOICES.items():
        if getattr(recipe, name) not in allowed:
            raise LacunaError(f"{where}: {name!r} must be {' or '.join(allowed)}.")
    check_positive(recipe, POSITIVE, where)
    for name in ("at_most", "relation_pretraining"):
        if getattr(recipe, name) < 0:
            raise LacunaError(f"{where}: {name!r} must not be less than 0.")
    if not recipe.seeds:
        raise LacunaError(f"{where}: 'seeds' names none. Give one or more whole numbers.")
    if not 0 <= recipe.held_out < 1:
        raise LacunaError(f"{where}: 'held_out' must be from 0 to below 1.")
    if (recipe.only_spans or recipe.only_heads) and recipe.kind != TRANSFORMER:
        raise LacunaError(f"{where}: 'only_spans' and 'only_heads' are for a transformer.")
    if recipe.precision not in ("no", "bf16"):
        raise LacunaError(f"{where}: 'precision' must be no or bf16.")
    return recipe
