from __future__ import annotations

import pytest

from lacuna.retrieve.typed_query import split_phrases


@pytest.mark.parametrize(
    ("query", "words", "phrases"),
    [
        ("old ferry", ["old", "ferry"], []),
        ('"old ferry" harbour', ["harbour"], ["old ferry"]),
        ('"a b" c "d"', ["c"], ["a b", "d"]),
        ('the 12" gun', ["the", '12"', "gun"], []),
        ('"" x', ["x"], []),
    ],
)
def test_phrases_are_what_stands_in_quotes(
    query: str, words: list[str], phrases: list[str]
) -> None:
    loose, found = split_phrases(query)
    assert (loose.split(), found) == (words, phrases)
