"""HotpotQA's splits (section 3): by how hard a question is, the test sets from hard ones alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from random import Random

from lacuna.corpus.mining.pairs import shuffled
from lacuna.types import Question


class HotpotSplit(StrEnum):
    """The parts of the dataset, with the paper's names."""

    TRAIN_EASY = "train-easy"
    TRAIN_MEDIUM = "train-medium"
    TRAIN_HARD = "train-hard"
    DEV = "dev"
    TEST_DISTRACTOR = "test-distractor"
    TEST_FULLWIKI = "test-fullwiki"

    @property
    def level(self) -> str:
        """How hard its questions are, as the dataset's files say it."""
        return {"train-easy": "easy", "train-medium": "medium"}.get(self, "hard")


HARD_SHARES = {
    HotpotSplit.TRAIN_HARD: 15661,
    HotpotSplit.DEV: 7405,
    HotpotSplit.TEST_DISTRACTOR: 7405,
    HotpotSplit.TEST_FULLWIKI: 7405,
}
"""How many of the hard examples went where (table 1); here they are shares."""


def split_up(
    questions: Sequence[Question],
    easy: Collection[str],
    losses: Mapping[str, float],
    medium_loss: float,
    seed: int,
) -> dict[HotpotSplit, list[Question]]:
    """Every question in one split; the order of the questions makes no difference."""
    splits: dict[HotpotSplit, list[Question]] = {split: [] for split in HotpotSplit}
    hard = []
    for question in sorted(questions, key=lambda question: question.id):
        if question.id in easy:
            splits[HotpotSplit.TRAIN_EASY].append(question)
        elif losses.get(question.id, float("inf")) <= medium_loss:
            splits[HotpotSplit.TRAIN_MEDIUM].append(question)
        else:
            hard.append(question)
    hard = shuffled(Random(f"{seed}\nhard"), hard)
    total = sum(HARD_SHARES.values())
    begin, shares = 0, 0
    for split, share in HARD_SHARES.items():
        shares += share
        end = round(len(hard) * shares / total)
        splits[split] += hard[begin:end]
        begin = end
    return splits
