"""Measures of a search for the gold documents of a question.

Two recalls go by different names, for they are easily mixed up: ``any_gold_recall`` asks for one
of a question's gold documents, ``all_gold_recall`` for all of them. ``hits`` is the share of gold
documents found, as HotpotQA's table 5 has it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

Ranks = Sequence[float]
"""The ranks, from 1 and rising, of a question's gold documents; infinite if not retrieved."""
CUTS = (2, 10)


def gold_ranks(ranking: Sequence[str], gold: Collection[str]) -> Ranks:
    """The ranks of the gold documents.

    >>> gold_ranks(["c", "a", "b"], {"a", "z"})
    [2, inf]
    """
    if not gold:
        raise ValueError("a question without gold documents cannot be scored")
    place = {title: rank for rank, title in reversed(list(enumerate(ranking, 1)))}
    return sorted(place.get(title, math.inf) for title in set(gold))


def any_gold_recall(ranks: Ranks, k: int) -> float:
    """1 if one of the gold documents is among the first k."""
    return float(ranks[0] <= k)


def all_gold_recall(ranks: Ranks, k: int) -> float:
    """1 if all of the gold documents are among the first k."""
    return float(ranks[-1] <= k)


def hits(ranks: Ranks, k: int) -> float:
    """The share of the gold documents that are among the first k."""
    return sum(rank <= k for rank in ranks) / len(ranks)


def average_precision(ranks: Ranks) -> float:
    """The precision at each gold document's rank, averaged."""
    return sum(found / rank for found, rank in enumerate(ranks, 1)) / len(ranks)


def mean_rank(ranks: Ranks, candidates: int) -> float:
    """The gold documents' average rank.

    One that was not retrieved counts as if it came right after the candidates (HotpotQA,
    appendix C).
    """
    return sum(min(rank, candidates + 1) for rank in ranks) / len(ranks)


def ndcg(ranks: Ranks, k: int = 10) -> float:
    """Discounted cumulative gain of the first k, as a share of the best possible."""
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(ranks), k) + 1))
    return gain / best


def paper_scores(
    ranking: Sequence[str], gold: Collection[str], with_answer: Collection[str]
) -> dict[str, float | None]:
    """HotpotQA's tables 5 and 9 as the paper counts them: upper bounds of the true values.

    What was not retrieved has the rank right after all that was, in both measures. ``answer_rank``
    is that of the gold document that has the answer; None where none has it, as with yes and no.

    >>> paper_scores(["c", "a"], {"a", "z"}, {"z"})
    {'paper_map': 0.5833333333333333, 'paper_mean_rank': 2.5, 'answer_rank': 3.0}
    """
    last = len(ranking) + 1
    ranks = [min(rank, last) for rank in gold_ranks(ranking, gold)]
    # Two that are missing share a rank, so that a short ranking could have more hits than places.
    precisions = [min(1.0, found / rank) for found, rank in enumerate(ranks, 1)]
    answer = min(gold_ranks(ranking, with_answer)[0], last) if with_answer else None
    return {
        "paper_map": sum(precisions) / len(precisions),
        "paper_mean_rank": sum(ranks) / len(ranks),
        "answer_rank": None if answer is None else float(answer),
    }


def ranking_scores(
    ranking: Sequence[str], gold: Collection[str], *, candidates: int | None = None
) -> dict[str, float]:
    """Every measure of one question's ranking.

    There are as many ``candidates`` as a ranking is long, unless said otherwise.

    >>> ranking_scores(["a", "b"], {"b"})["map"]
    0.5
    """
    ranks = gold_ranks(ranking, gold)
    scores = {
        "map": average_precision(ranks),
        "mean_rank": mean_rank(ranks, len(ranking) if candidates is None else candidates),
        "ndcg@10": ndcg(ranks),
    }
    for k in CUTS:
        scores[f"hits@{k}"] = hits(ranks, k)
        scores[f"any_gold_recall@{k}"] = any_gold_recall(ranks, k)
        scores[f"all_gold_recall@{k}"] = all_gold_recall(ranks, k)
    return scores
