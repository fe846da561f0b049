"""What counts as the sentence that answers, and what does not."""

from __future__ import annotations

import pytest
from benchmarks.retrieval.evidence_match import FEW, EvidenceSentence
from benchmarks.retrieval.finding import WIDTH, around, table


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("It is **not** `old`.", "so: it is not old"),
        ("See the git-blame(1) page", "see the\n git-blame (1) page."),
        ("smallint 2 bytes", "Name: smallint | Storage size: 2 bytes | Range: small"),
        ("Gold 20", "Gold" + " word" * FEW + " 20"),
    ],
)
def test_the_same_words_in_order_count(sentence: str, text: str) -> None:
    assert EvidenceSentence(sentence).is_in(text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("It is old.", "It was old."),
        ("Gold 20", "Gold" + " word" * (FEW + 1) + " 20"),
        ("Gold 20", "Gold | 10\nSilver | 20"),
        ("Gold 20", "20 Gold"),
        ("Gold 20", ""),
    ],
)
def test_other_words_other_rows_and_another_order_do_not(sentence: str, text: str) -> None:
    assert not EvidenceSentence(sentence).is_in(text)


@pytest.mark.parametrize(
    ("start", "end", "size"), [(0, 5, 3000), (900, 2900, 3000), (7, 9, 10), (2990, 3000, 3000)]
)
def test_a_passage_is_800_characters_of_its_document(start: int, end: int, size: int) -> None:
    begin, stop = around(start, end, size)
    assert 0 <= begin < stop <= size
    assert stop - begin == min(WIDTH, size)
    assert begin <= (start + end) // 2 < stop


def test_shares_of_the_questions_are_shown() -> None:
    row = table("engine", {"one": [(0, 4), (7, float("inf"))]}).splitlines()[2]
    assert row == "| one | 2 | 50.0 | 50.0 | 100.0 | 100.0 | 0.0 | 50.0 | 50.0 | 50.0 |"
