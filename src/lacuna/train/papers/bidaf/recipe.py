"""A run of BiDAF on one page of TOML."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.errors import LacunaError
from lacuna.train.papers.recipe import PaperRecipe

SQUAD, KEY_SPANS = "squad", "key-spans"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanRecipe(PaperRecipe):
    """One text, one span."""

    self_attention: bool = False
    """BiDAF has none."""
    learn_from: str = SQUAD
    """SQuAD 1.1, or key spans of core facts: KGD's, or by the rule where KGD is not at hand."""

    def check(self, where: str) -> None:
        PaperRecipe.check(self, where)
        if self.learn_from not in (SQUAD, KEY_SPANS):
            raise LacunaError(f"{where}: 'learn_from' must be {SQUAD} or {KEY_SPANS}.")
