"""Words of texts that come again."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from lacuna_lab.papers.words import TokenTable


def test_a_text_that_comes_again_has_the_same_words_and_counts_again() -> None:
    table = TokenTable()
    once = table.tokens("An otter swims.")
    assert table.vocabulary().known == []
    again = table.tokens("An otter swims.")
    assert again.numbers.tolist() == once.numbers.tolist()
    assert "otter" in table.vocabulary().known
