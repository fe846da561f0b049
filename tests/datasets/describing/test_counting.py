"""Means, shares, and words as a tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna_lab.describe.description import Mean, branches, percent, top_rows
from lacuna_lab.figures.charts import Branch

WORDS = st.sampled_from(["who", "what", "was", "the", "is"])
COUNTS = st.dictionaries(st.lists(WORDS, max_size=3).map(tuple), st.integers(1, 50), max_size=25)


def leaves_of(branch: Branch) -> float:
    return sum(leaf.share for leaf in branch.inner)


@given(COUNTS, st.integers(1, 4), st.floats(0, 30))
def test_a_tree_holds_everything(
    counts: dict[tuple[str, ...], int], many: int, least: float
) -> None:
    tree = branches(counts, many, least)
    assert (abs(sum(branch.share for branch in tree) - 100) < 1e-6) == bool(counts)
    assert len([branch for branch in tree if branch.name]) <= many
    for branch in tree:
        assert leaves_of(branch) <= branch.share + 1e-6
        assert all(leaf.share >= least for leaf in branch.inner if leaf.name)


def test_a_tree_goes_as_deep_as_its_words() -> None:
    tree = branches({("who", "was", "the"): 3, ("who",): 1}, 5)
    assert tree == (Branch("who", 100.0, (Branch("was", 75.0, (Branch("the", 75.0),)),)),)


def test_nothing_has_no_mean_and_no_share() -> None:
    assert (Mean().value, Mean().percent, percent(0, 0)) == (None, None, None)


def test_the_most_frequent_come_first_and_ties_by_name() -> None:
    rows = list(top_rows({"b": 1, "a": 1, "c": 2}, 2))
    assert rows == [("c", 2, 50.0), ("a", 1, 25.0)]
