"""Train-easy: all questions of top contributors whose samples took one paragraph alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lacuna.collect.tasks.hotpotqa.hops import FIELD, ONE
from lacuna.collect.tasks.task import FinishedWork, Json


def top_contributors(questions: Sequence[FinishedWork], share: float) -> list[int]:
    """The fewest people who together wrote at least this share of the questions."""
    counts = Counter(work.person for work in questions)
    top: list[int] = []
    written = 0
    for person in sorted(counts, key=lambda person: (-counts[person], person)):
        if written >= share * len(questions):
            break
        top.append(person)
        written += counts[person]
    return top


def easy_writers(
    questions: Sequence[FinishedWork], reviews: Sequence[FinishedWork], more: Json
) -> dict[int, float]:
    """Top contributors whose questions are easy, with the share of single hops in their sample.

    One whose sample is smaller than ``sample_least`` is not judged by it.
    """
    sampled: dict[int, list[bool]] = {}
    for review in reviews:
        sampled.setdefault(review.payload["writer"], []).append(review.work[FIELD] == ONE)
    easy = {}
    for person in top_contributors(questions, more["top_share"]):
        sample = sampled.get(person, [])
        if len(sample) < more["sample_least"]:
            continue
        share = sum(sample) / len(sample)
        if share >= more["single_hop_share"]:
            easy[person] = share
    return easy
