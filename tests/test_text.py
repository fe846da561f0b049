from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.text import STOP_WORDS, content_stems, sameness_key, words


def test_stop_words_and_punctuation_go() -> None:
    assert content_stems("The belts, which are made of METAL!") == ["belt", "made", "metal"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("evaporates", "evaporate"), ("dog's", "dogs"), ("dog’s", "dogs"), ("ﬁsh", "fish")],
)
def test_forms_of_a_word_meet(one: str, other: str) -> None:
    assert content_stems(one) == content_stems(other)


def test_a_text_of_stop_words_has_no_stems() -> None:
    assert content_stems(" ".join(sorted(STOP_WORDS))) == []


def test_underscores_part_words() -> None:
    assert words("belt_buckle") == ["belt", "buckle"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("A plant requires sunlight.", "plants require sunlight", True),
        ("the sun , a star", "Sun: a star!", True),
        ("metal conducts heat", "heat conducts metal", False),
        ("metal conducts heat", "metal does not conduct heat", False),
    ],
)
def test_sameness_is_about_words_in_order(one: str, other: str, same: bool) -> None:
    assert (sameness_key(one) == sameness_key(other)) is same


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Metal", "heat", "the", "a", "flows", "iron"]), min_size=1))
def test_sameness_overlooks_case_punctuation_and_articles(parts: list[str]) -> None:
    plain = " ".join(parts)
    dressed = "The " + " , ".join(part.upper() for part in parts) + " ."
    assert sameness_key(plain) == sameness_key(dressed)
