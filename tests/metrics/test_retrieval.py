from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.metrics import retrieval
from lacuna.metrics.retrieval import gold_ranks, ranking_scores

titles = st.sampled_from("abcdefgh")
rankings = st.lists(titles, unique=True)
golds = st.sets(titles, min_size=1, max_size=3)


def test_a_worked_example() -> None:
    """Two gold documents at ranks 1 and 3; then one that was not found."""
    assert ranking_scores(["a", "x", "b"], {"a", "b"}) == pytest.approx(
        {
            "map": (1 / 1 + 2 / 3) / 2,
            "mean_rank": (1 + 3) / 2,
            "ndcg@10": (1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3)),
            "hits@2": 0.5,
            "any_gold_recall@2": 1.0,
            "all_gold_recall@2": 0.0,
            "hits@10": 1.0,
            "any_gold_recall@10": 1.0,
            "all_gold_recall@10": 1.0,
        }
    )
    missed = ranking_scores(["x", "y", "z"], {"q"})
    assert missed.pop("mean_rank") == 4
    assert set(missed.values()) == {0}


def test_what_was_not_retrieved_comes_after_all_candidates() -> None:
    ranks = gold_ranks(["a", "b"], {"z", "b"})
    assert ranks == [2, math.inf]
    assert retrieval.mean_rank(ranks, 5000) == (2 + 5001) / 2


def test_a_title_that_is_ranked_twice_counts_where_it_comes_first() -> None:
    assert gold_ranks(["b", "a", "b"], {"b"}) == [1]


@given(rankings, golds, st.integers(1, 10))
def test_any_is_never_below_hits_and_hits_never_below_all(
    ranking: list[str], gold: set[str], k: int
) -> None:
    ranks = gold_ranks(ranking, gold)
    shares = [
        measure(ranks, k)
        for measure in (retrieval.any_gold_recall, retrieval.hits, retrieval.all_gold_recall)
    ]
    assert 1 >= shares[0] >= shares[1] >= shares[2] >= 0


@given(rankings, golds)
def test_the_gold_first_is_best(ranking: list[str], gold: set[str]) -> None:
    best = [*sorted(gold), *(title for title in ranking if title not in gold)]
    assert ranking_scores(best, gold)["ndcg@10"] == pytest.approx(1)
    assert ranking_scores(best, gold)["map"] == pytest.approx(1)
    some, most = (ranking_scores(one, gold, candidates=20) for one in (ranking, best))
    assert some["mean_rank"] >= most["mean_rank"]
    assert some["map"] <= most["map"] + 1e-12


@given(rankings, golds)
def test_nothing_but_the_rank_exceeds_1_and_nothing_found_is_0(
    ranking: list[str], gold: set[str]
) -> None:
    scores = ranking_scores(ranking, gold)
    del scores["mean_rank"]
    assert all(0 <= value <= 1 + 1e-9 for value in scores.values())
    none = ranking_scores([], gold)
    assert none.pop("mean_rank") == 1
    assert set(none.values()) == {0}


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(ValueError, match="without gold"):
        gold_ranks(["a"], set())
