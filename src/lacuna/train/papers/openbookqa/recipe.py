"""A run of a network that chooses among answers, on one page of TOML."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.errors import LacunaError
from lacuna.models.model_folder import ModelSystem
from lacuna.train.papers.recipe import WordRecipe

NO_KNOWLEDGE = "none"
KNOWLEDGE = (NO_KNOWLEDGE, "wordnet", "omcs", "triples", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRecipe(WordRecipe):
    """``system`` says which network it is: question-to-choice, esim or ker."""

    characters: bool = False
    """The papers read words alone."""
    knowledge: str = NO_KNOWLEDGE
    """What ker reads besides the fact: a part of a knowledge base."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        if self.contextual:
            raise LacunaError(f"{where}: {self.system} has no contextual embeddings.")
        if self.knowledge not in KNOWLEDGE:
            raise LacunaError(f"{where}: 'knowledge' must be {' or '.join(KNOWLEDGE)}.")
        if self.reads_knowledge and self.system != ModelSystem.KER:
            raise LacunaError(f"{where}: 'knowledge' is for the system ker alone.")

    @property
    def reads_knowledge(self) -> bool:
        """Whether lines of a knowledge base are read."""
        return self.knowledge != NO_KNOWLEDGE
