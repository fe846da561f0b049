from __future__ import annotations

import gzip
import os
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Span
from lacuna_collect.mining import (
    Pair,
    PairKind,
    bridge_edges,
    comparison_lists,
    pick,
    pick_index,
    sample_pairs,
    shuffled,
)

DATA = os.environ.get("LACUNA_DATA")
needs_data = pytest.mark.skipif(not DATA, reason="LACUNA_DATA does not say where the real data is")

TITLES = st.sampled_from("abcdefg")
GROUPS = st.dictionaries(TITLES, st.lists(TITLES, max_size=5), max_size=5)

ENOUGH = 500
"""More pairs than any small graph has: a draw that never ends must fail, not hang."""

MANY_EDGES = {f"b{n}": [f"a{n}-{m}" for m in range(300)] for n in range(40)}
MANY_LISTS = {"small": [f"s{n}" for n in range(50)], "large": [f"l{n}" for n in range(150)]}


def page(title: str, first: list[str], later: list[str] | None = None) -> Document:
    """Two paragraphs that link to these titles."""
    links = [Link(0, 5, target) for target in first] + [Link(7, 12, t) for t in later or []]
    return Document(title, "First\n\nLater", (), tuple(links), (Span(0, 5), Span(7, 12)))


def test_edges_come_from_first_paragraphs_and_lead_to_curated_titles() -> None:
    documents = [
        page("Ferry", ["Lake Orn", "Peru"], later=["Ellen Voss"]),
        page("Ellen Voss", ["Ferry", "Lake Orn", "Lake Orn"]),
        page("Lake Orn", ["Lake Orn"]),
    ]
    assert bridge_edges(documents, {"Lake Orn", "Ellen Voss"}) == {
        "Lake Orn": ("Ellen Voss", "Ferry")
    }
    backwards = bridge_edges(reversed(documents), {"Lake Orn", "Ellen Voss"})
    assert backwards == {"Lake Orn": ("Ellen Voss", "Ferry")}


def test_links_reach_curated_titles_through_redirects() -> None:
    ferry = page("Ferry", ["the lake"])
    resolve = {"the lake": "Lake Orn"}.get
    assert bridge_edges([ferry], {"Lake Orn"}, resolve) == {"Lake Orn": ("Ferry",)}


def test_lists_keep_entities_with_a_document() -> None:
    lists = {"peaks": ["K2", "K 2", "Denali", "Atlantis"], "lost": ["Atlantis", "K2"]}
    titles = {"K2": "K2", "K 2": "K2", "Denali": "Denali"}
    assert comparison_lists(lists, titles.get) == {"peaks": ("Denali", "K2")}


def test_the_same_seed_gives_the_same_pairs_and_another_one_others() -> None:
    drawn = [list(islice(sample_pairs(MANY_EDGES, MANY_LISTS, seed), 200)) for seed in (5, 5, 6)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_the_order_of_titles_makes_no_difference() -> None:
    edges = {b: MANY_EDGES[b][::-1] for b in reversed(MANY_EDGES)}
    lists = {name: MANY_LISTS[name][::-1] for name in reversed(MANY_LISTS)}
    drawn = islice(sample_pairs(edges, lists, 5), 200)
    assert list(drawn) == list(islice(sample_pairs(MANY_EDGES, MANY_LISTS, 5), 200))


def test_the_ratios_are_those_of_algorithm_1() -> None:
    pairs = list(islice(sample_pairs(MANY_EDGES, MANY_LISTS, 1), 8000))
    comparisons = [pair for pair in pairs if pair.kind is PairKind.COMPARISON]
    assert 0.73 < 1 - len(comparisons) / len(pairs) < 0.77
    assert 0.46 < sum(pair.yes_no for pair in comparisons) / len(comparisons) < 0.54
    # Lists are drawn by their size: 150 of 200.
    large = sum(pair.group == "large" for pair in comparisons)
    assert 0.71 < large / len(comparisons) < 0.79


def test_bridges_are_drawn_alike_however_many_edges_they_have() -> None:
    edges = {"few": [f"f{n}" for n in range(200)], "many": [f"m{n}" for n in range(5000)]}
    counts = Counter(pair.second for pair in islice(sample_pairs(edges, {}, 1), 300))
    assert 110 < counts["few"] < 190


@settings(deadline=None)
@given(GROUPS, GROUPS, st.integers())
def test_every_pair_is_a_real_one_and_comes_once(
    edges: dict[str, list[str]], lists: dict[str, list[str]], seed: int
) -> None:
    try:
        pairs = list(islice(sample_pairs(edges, lists, seed), ENOUGH))
    except LacunaError:
        assert all(set(sources) <= {b} for b, sources in edges.items())
        assert all(len(set(titles)) < 2 for titles in lists.values())
        return
    assert pairs or any(len(set(titles)) > 1 for titles in lists.values())
    for pair in pairs:
        assert pair.first != pair.second
        if pair.kind is PairKind.BRIDGE:
            assert pair.first in edges[pair.second]
            assert (pair.yes_no, pair.group) == (False, "")
        else:
            assert {pair.first, pair.second} <= set(lists[pair.group])
    bridges = [(p.first, p.second) for p in pairs if p.kind is PairKind.BRIDGE]
    compared = [frozenset((p.first, p.second)) for p in pairs if p.kind is PairKind.COMPARISON]
    assert len(set(bridges)) == len(bridges)
    assert len(set(compared)) == len(compared)


@settings(deadline=None)
@given(st.lists(TITLES, min_size=2, unique=True), st.integers())
def test_a_list_alone_is_drawn_to_its_end(titles: list[str], seed: int) -> None:
    pairs = list(islice(sample_pairs({}, {"letters": titles}, seed), ENOUGH))
    assert len(pairs) == len(titles) * (len(titles) - 1) // 2


def test_edges_alone_are_drawn_to_their_end() -> None:
    pairs = list(islice(sample_pairs({"b": ["x", "y"], "c": ["x"]}, {}, 4), ENOUGH))
    bridges = [("x", "b"), ("y", "b"), ("x", "c")]
    assert len(pairs) == 3
    assert set(pairs) == {Pair(PairKind.BRIDGE, a, b) for a, b in bridges}


def test_nothing_to_draw_from_is_said_at_once() -> None:
    with pytest.raises(LacunaError, match="nothing to draw pairs from"):
        sample_pairs({"b": []}, {"alone": ["x"]}, 1)


@needs_data
def test_the_edges_of_a_real_graph() -> None:
    """Articles as bare lists of links: every edge of the official graph must come back."""
    out: dict[str, list[str]] = {}
    with gzip.open(
        Path(DATA or "") / "wiki" / "schools_links.tsv.gz", "rt", encoding="utf-8"
    ) as rows:
        for row in rows:
            if row.strip() and not row.startswith("#"):
                source, target = row.rstrip("\n").split("\t")
                out.setdefault(source, []).append(target)
    documents = [
        Document(source, "x", links=tuple(Link(0, 1, target) for target in targets))
        for source, targets in out.items()
    ]
    everything = {target for targets in out.values() for target in targets}
    edges = bridge_edges(documents, everything)
    assert {(a, b) for b, sources in edges.items() for a in sources} == {
        (a, b) for a, targets in out.items() for b in targets if a != b
    }


@settings(deadline=None)
@given(st.lists(st.integers()), st.integers())
def test_shuffling_keeps_every_item(items: list[int], seed: int) -> None:
    assert sorted(shuffled(Random(seed), items)) == sorted(items)
    assert shuffled(Random(seed), items) == shuffled(Random(seed), items)


def test_every_item_can_be_picked_and_about_as_often() -> None:
    random = Random(3)
    counts = [0] * 5
    for _ in range(5000):
        counts[pick(random, range(5))] += 1
    assert all(850 < count < 1150 for count in counts)


@settings(deadline=None)
@given(st.integers(1, 1 << 40), st.integers())
def test_an_index_is_inside(size: int, seed: int) -> None:
    assert 0 <= pick_index(Random(seed), size) < size


def test_the_numbers_behind_it_are_those_of_every_python_version() -> None:
    assert [pick_index(Random(0), 1000), pick_index(Random(7), 1000)] == [844, 323]
