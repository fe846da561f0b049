"""Whole tokens, complete names, and what documents are called."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.types import Document
from lacuna_collect.tasks.hotpotqa_pairs import kind_of
from lacuna_collect.tasks.hotpotqa_writing import (
    as_written,
    named_in_part,
    plain_name,
    short_forms,
    stands_whole,
    whole_places,
)


def test_tokens_are_taken_whole() -> None:
    assert stands_whole("The ship's bell", "The ship")
    assert stands_whole("from 1987-1990", "1987")
    assert not stands_whole("a well-fed dog", "fed")
    assert not stands_whole("3.14 is near", "14")
    assert not stands_whole("it is 1,897", "1")
    assert stands_whole("it cost $4.00.", "4.00")
    assert not stands_whole("anything", "")
    assert as_written("The  Lamps\nof Osk", "the lamps of osk") == "The  Lamps\nof Osk"


@given(st.text(max_size=60), st.text(max_size=8))
def test_places_hold_what_was_looked_for(text: str, part: str) -> None:
    for start, end in whole_places(text, part):
        assert text[start:end] == part


def test_names_in_part() -> None:
    assert plain_name("Kestrel (ship)") == "Kestrel"
    short = short_forms("Agnes Penhale", lambda _: None)
    assert named_in_part("When was Penhale born?", "Agnes Penhale", short) == "Penhale"
    assert named_in_part("When was Agnes Penhale born?", "Agnes Penhale", short) == ""
    assert named_in_part("Agnes of what is meant?", "Agnes Penhale", short) == ""
    assert short_forms("Osk", lambda _: None) == []


def test_kinds() -> None:
    assert kind_of(Document("A", "A is a small town in the east.")) == "town"
    assert kind_of(Document("A", "A is the largest of the Selmory Islands.")) == "island"
    assert kind_of(Document("A", "A (born 3 May 1950) is a singer.")) == "person"
    assert kind_of(Document("A", "Nobody knows.")) == "other"
    assert kind_of(Document("A", "")) == "other"
