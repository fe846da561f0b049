"""Runs of IIRC's three stages and of table 6, each on one page of TOML."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.errors import LacunaError
from lacuna.train.papers.encoded.recipe import EncoderRecipe
from lacuna.train.recipe import check_positive

READS = ("question", "passage", "context")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecipe(EncoderRecipe):
    """The first stage: which links to follow."""

    threshold: float = 0.5
    """How likely a link must be needed to be followed."""

    def check(self, where: str) -> None:
        EncoderRecipe.check(self, where)
        if not 0 <= self.threshold <= 1:
            raise LacunaError(f"{where}: 'threshold' must be from 0 to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRecipe(EncoderRecipe):
    """The second stage: which window of each linked article to read."""

    wrong_windows: int = 4
    """Windows without the annotation that are learned from, for each one with it; 0 means all."""

    def check(self, where: str) -> None:
        EncoderRecipe.check(self, where)
        if self.wrong_windows < 0:
            raise LacunaError(f"{where}: 'wrong_windows' must not be less than 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedRecipe(EncoderRecipe):
    """What reads the context that the first two stages predict."""

    stages: str = ""
    """A folder with trained models of these, ``links`` and ``context``; they predict what
    unanswerable questions are read with. Without one, hard negatives stand in for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumNetRecipe(StagedRecipe):
    """The third stage: NumNet+."""

    steps: int = 3
    """How often numbers pass messages to each other."""

    def check(self, where: str) -> None:
        StagedRecipe.check(self, where)
        check_positive(self, ("steps",), where)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnanswerableRecipe(StagedRecipe):
    """Table 6: whether a question has an answer, from the first token's state."""

    reads: str = "question"
    """What is read: the question, the passage with it, or the predicted context with it."""

    def check(self, where: str) -> None:
        StagedRecipe.check(self, where)
        if self.reads not in READS:
            raise LacunaError(f"{where}: 'reads' must be {' or '.join(READS)}.")
