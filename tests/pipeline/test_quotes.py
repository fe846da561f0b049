"""The sentence that is quoted around an answer."""

from __future__ import annotations

import pytest

from lacuna.pipeline.quotes import AROUND, sentence_around
from lacuna.types import Document, Span


def test_a_sentence_or_two() -> None:
    page = Document("Ferry", "It sails. It is old.", (Span(0, 9), Span(10, 20)))
    assert sentence_around(page, 10, 12) == Span(10, 20)
    assert sentence_around(page, 3, 12) == Span(0, 20)


def test_what_stands_in_no_sentence_is_quoted_alone() -> None:
    page = Document("Ferry", "Ferry. It sails.", (Span(7, 16),))
    assert sentence_around(page, 0, 5) == Span(0, 5)
    assert sentence_around(Document("Ferry", "It sails."), 3, 8) == Span(3, 8)


@pytest.mark.parametrize("before", [0, 3, 1000])
@pytest.mark.parametrize("after", [0, 3, 1000])
@pytest.mark.parametrize("gap", [" ", "|"])
def test_of_a_table_only_what_is_around(before: int, after: int, gap: str) -> None:
    text = f"cell{gap}" * before + "answer" + f"{gap}cell" * after
    page = Document("Table", text, (Span(0, len(text)),))
    at = text.index("answer")
    found = sentence_around(page, at, at + 6)
    assert found.start <= at < at + 6 <= found.end
    assert found.end - found.start <= 6 + 2 * AROUND
    quoted = text[found.start : found.end]
    assert quoted == quoted.strip()
    if gap == " ":
        assert set(quoted.split()) <= {"cell", "answer"}
