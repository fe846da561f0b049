"""A run of QuAC's BiDAF++ on one page of TOML."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.errors import LacunaError
from lacuna.train.papers.recipe import WordRecipe


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogRecipe(WordRecipe):
    """``history`` is the paper's k."""

    history: int = 2
    """Answers of so many earlier turns are marked in the section; 0 reads each question alone."""
    act_weight: float = 1.0
    """How much the loss of dialog acts counts."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        for name in ("history", "act_weight"):
            if getattr(self, name) < 0:
                raise LacunaError(f"{where}: {name!r} must not be less than 0.")
