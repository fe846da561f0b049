"""The systems of GapQA's tables 4, 5 and 6, as changes to a recipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lacuna_lab.gapqa.recipe import GapRecipe, load_gap_recipe

RECIPES = Path(__file__).parents[2] / "recipes"
RESULTS = "results"
"""The folder with a file per run."""
TUNED, PLAIN = "tuned", "plain"
"""Key spans: by the model that was tuned on the rule's spans, and by the reader as it is."""


class Variant(NamedTuple):
    """Where key spans are from, and what of the recipe is changed."""

    changes: dict[str, Any]
    spans: str = TUNED


VARIANTS = {
    "gapqa": Variant({}),
    "question-to-choice": Variant({"show_fact": False, "knowledge": "none"}),
    "fact-only": Variant({"knowledge": "none"}),
    "wordnet": Variant({"knowledge": "wordnet"}),
    "omcs": Variant({"knowledge": "omcs"}),
    "triples": Variant({"knowledge": "triples"}),
    "no-annotations": Variant({"relation_labels": "none"}, PLAIN),
    "no-relation-labels": Variant({"relation_labels": "none"}),
    "no-spans-model": Variant({"show_span": False, "relation_labels": "none"}),
    "no-spans-ir": Variant({"retrieve_by": "fact"}),
}


def recipe_of(encoder: str, variant: str) -> GapRecipe:
    """The recipe of a system, such as ``bilstm`` and ``fact-only``."""
    base = load_gap_recipe(RECIPES / f"gapqa-{encoder}.toml")
    return replace(base, name=f"{encoder}-{variant}", **VARIANTS[variant].changes)


def examples_of(encoder: str, variant: str, part: str) -> str:
    """The file with a system's examples; base reads the same word pieces as small."""
    return f"{'small' if encoder == 'base' else encoder}-{variant}-{part}.npz"
