from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.retrieve.knowledge.string_table import in_order, open_strings, string_arrays

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
