"""A run of HotpotQA's baseline on one page of TOML."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.datasets.hotpotqa.settings import SETTINGS
from lacuna.errors import LacunaError
from lacuna.train.papers.hotpotqa.questions import check_sources
from lacuna.train.papers.recipe import WordRecipe


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotRecipe(WordRecipe):
    """The settings of table 7 are ``support_weight = 0``, ``self_attention``, ``characters``,
    ``leave_out_levels`` and ``setting``."""

    sources: tuple[str, ...] = ("hotpotqa",)
    """Whose questions are learned from: hotpotqa, and for a first training that others go on from
    also hotpotqa_gold, twowiki and squad1."""
    support_weight: float = 1.0
    """How much the loss of supporting facts counts; with 0 they are neither learned nor given."""
    support_threshold: float = 0.3
    """How likely a sentence must be a supporting fact to be given as one."""
    read_whole: bool = False
    """Whether the RNNs read all paragraphs as one text, as in the paper, or each by itself, which
    takes a fifth of the time. Attention sees all of them either way."""
    setting: str = "distractor"
    """What is read: ten paragraphs, the gold ones (gold-only), or supporting-facts-only."""
    leave_out_levels: tuple[str, ...] = ()
    """Levels (easy, medium, hard) whose questions are not learned from."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        readable = [name for name, setting in SETTINGS.items() if not setting.over_corpus]
        if self.setting not in readable:
            raise LacunaError(f"{where}: 'setting' must be {' or '.join(readable)}.")
        check_sources(self.sources, where)
        if self.support_weight < 0:
            raise LacunaError(f"{where}: 'support_weight' must not be less than 0.")
        if not 0 <= self.support_threshold <= 1:
            raise LacunaError(f"{where}: 'support_threshold' must be from 0 to 1.")
        if unknown := sorted(set(self.leave_out_levels) - {"easy", "medium", "hard"}):
            raise LacunaError(f"{where}: there is no level {unknown[0]!r}: easy, medium or hard.")
