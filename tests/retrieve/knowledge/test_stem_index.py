from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.retrieve.knowledge.arrays import (
    PairQuery,
    StemPostings,
    in_order,
    merge_occurrences,
    open_strings,
    posting_arrays,
    string_arrays,
)

TEXT = st.text(st.characters(codec="utf-8"), max_size=6)
TEXTS = st.lists(TEXT, max_size=30)


@settings(deadline=None)
@given(TEXTS, TEXT)
def test_every_string_is_found_at_its_place_and_no_other_is(texts: list[str], probe: str) -> None:
    ordered = in_order(texts)
    table = open_strings("x", string_arrays("x", ordered))
    assert [table[number] for number in range(len(table))] == ordered
    assert [table.find(text) for text in ordered] == list(range(len(ordered)))
    assert (table.find(probe) is not None) == (probe in texts)


@settings(deadline=None)
@given(TEXTS)
def test_the_order_is_that_of_utf8_bytes(texts: list[str]) -> None:
    encoded = [text.encode() for text in in_order(texts)]
    assert encoded == sorted(set(encoded))


WORDS = [f"{letter}x" for letter in "bcdfghjk"]
ITEMS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5), min_size=1, max_size=12)
PHRASE = st.lists(st.sampled_from(WORDS), max_size=4)


def index(items: list[list[str]]) -> StemPostings:
    stems = in_order(word for words in items for word in words)
    rows = [(stems.index(word), item) for item, words in enumerate(items) for word in words]
    columns = np.array(rows, np.int64).reshape(-1, 2).T
    merged = merge_occurrences(columns[0], columns[1], np.ones(len(rows), np.int64))
    return StemPostings(posting_arrays(stems, *merged))


@settings(deadline=None)
@given(ITEMS, PHRASE, PHRASE)
def test_items_with_a_stem_of_both(
    items: list[list[str]], span: list[str], choice: list[str]
) -> None:
    query = PairQuery.look_up(index(items), " ".join(span), " ".join(choice))
    assert query.in_both(len(items)).tolist() == [
        item
        for item, words in enumerate(items)
        if not set(words).isdisjoint(span) and not set(words).isdisjoint(choice)
    ]


@settings(deadline=None)
@given(ITEMS, PHRASE)
def test_notes_count_how_often_a_stem_stands_in_an_item(
    items: list[list[str]], words: list[str]
) -> None:
    query = PairQuery.look_up(index(items), " ".join(words), "")
    everything = np.arange(len(items), dtype=np.int32)
    held = {word for words in items for word in words}
    assert set(query.hits) == set(words) & held
    for stem, hit in query.hits.items():
        assert hit.notes_on(everything).tolist() == [words.count(stem) for words in items]


def test_stems_come_in_alphabetical_order() -> None:
    query = PairQuery.look_up(index([WORDS]), " ".join(WORDS[::-1]), "")
    assert list(query.hits) == sorted(WORDS)
