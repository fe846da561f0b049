from __future__ import annotations

import re
import string
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from scoring import answers

from lacuna.metrics.metric import normalise, overlap


@given(answers | st.text())
def test_normalisation_is_the_official_one(text: str) -> None:
    """The official steps, spelt out: lower case, punctuation, articles, blanks."""
    bare = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    assert normalise(text) == " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


@given(answers.map(normalise), answers.map(normalise))
def test_overlap_counts_tokens_as_often_as_they_stand_in_both(one: str, two: str) -> None:
    found = overlap(one, two)
    same = sum((Counter(one.split()) & Counter(two.split())).values())
    assert found.precision == (same / len(one.split()) if same else 0)
    assert found.recall == (same / len(two.split()) if same else 0)
    assert 0 <= found.f1 <= 1
    back = overlap(two, one)
    assert (back.precision, back.recall) == (found.recall, found.precision)
