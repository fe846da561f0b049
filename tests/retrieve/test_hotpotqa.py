import math
import re
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.store import Store
from lacuna.retrieve import hotpotqa as hotpot_index
from lacuna.retrieve.hotpotqa import GramIndex, HotpotRetriever
from lacuna.retrieve.registry import search_many
from lacuna.types import Document, Span


def grams_of(text: str) -> list[str]:
    words = re.findall(r"\w+", text.lower())
    return words + [" ".join(pair) for pair in pairwise(words)]


def as_the_paper_says(texts: list[str], query: str, most: int, k: int) -> list[tuple[int, float]]:
    """Algorithm 2 with dictionaries, then bigram TF-IDF."""
    counts = [Counter(grams_of(text)) for text in texts]
    threshold = 0
    candidates = list(range(len(texts) + most + 1))
    while len(candidates) > most:
        threshold += 1
        overlap = [len(set(grams_of(query)) & count.keys()) for count in counts]
        candidates = [number for number, shared in enumerate(overlap) if shared >= threshold]
    scores = dict.fromkeys(candidates, 0.0)
    for gram, times in Counter(grams_of(query)).items():
        df = sum(gram in count for count in counts)
        idf = max(0.0, math.log((len(texts) - df + 0.5) / (df + 0.5)))
        for number in candidates:
            if gram in counts[number]:
                in_text = math.log(1 + counts[number][gram]) * idf
                scores[number] += (math.log(1 + times) * idf) * in_text
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]


def index_of(texts: list[str], most: int) -> GramIndex:
    with tempfile.TemporaryDirectory() as scratch:
        arrays = hotpot_index.build_index(texts, Path(scratch))
        return GramIndex({name: array.copy() for name, array in arrays.items()}, most)


TEXT = st.lists(st.sampled_from(["a", "b", "c", "d", "É", "1", "x,y"]), max_size=12).map(" ".join)


@given(st.lists(TEXT, max_size=12), TEXT, st.integers(1, 6), st.integers(1, 20))
def test_the_same_results_as_the_dictionary_version(
    texts: list[str], query: str, most: int, block: int
) -> None:
    expected = as_the_paper_says(texts, query, most, 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hotpot_index, "BLOCK", block)
        assert index_of(texts, most).search(query, 10) == expected


def test_the_threshold_rises_until_few_enough_are_left() -> None:
    texts = ["red", "red boat", "red boat sails", "blue"]
    assert {number for number, _ in index_of(texts, 3).search("red boat sails", 10)} == {0, 1, 2}
    assert {number for number, _ in index_of(texts, 2).search("red boat sails", 10)} == {1, 2}


def test_no_candidates_when_too_many_share_everything() -> None:
    assert index_of(["same"] * 4, 3).search("same", 10) == []


def test_a_query_of_unknown_words_finds_nothing() -> None:
    assert index_of(["red boat"], 5).search("zebra crossing", 10) == []
    assert index_of([], 5).search("zebra", 10) == []


def test_first_paragraphs_of_a_store_are_searched(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "store")
    text = "A red boat. Green zebra."
    with store.writer() as writer:
        writer.add(
            [
                Document("Boat", text, paragraphs=(Span(0, 11), Span(12, len(text)))),
                Document("Zebra", "A striped zebra."),
                Document("Other", "Nothing here."),
            ]
        )
    search = HotpotRetriever(store)
    (hit,) = search.search("red zebra boat", 1)
    assert (hit.title, text[hit.start : hit.end]) == ("Boat", "A red boat.")
    assert [hit.title for hit in search.search("zebra")] == ["Zebra"]
    queries = ["zebra", "boat"]
    assert search_many(search, queries, threads=2) == search_many(search, queries)
    with store.writer() as writer:
        writer.remove("Zebra")
    assert search.search("zebra") == []
    assert HotpotRetriever(store).search("zebra") == []
