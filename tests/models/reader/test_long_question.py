"""Of a question that is too long, the part that asks is read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.models.reader.reader import part_that_fits


def test_a_question_that_fits_is_read_as_it_is() -> None:
    assert part_that_fits("  Who?  ", lambda text: len(text) < 20) == "  Who?  "


def test_the_last_sentence_that_asks() -> None:
    text = "One. Two! Is it three? Four? Five. Six."
    assert part_that_fits(text, lambda part: len(part) < 6) == "Four?"
    assert part_that_fits(text, lambda part: len(part) < 35) == "Four?"
    assert part_that_fits(text, lambda part: len(part) < 4) == "Fou"


def test_without_a_question_mark_as_much_of_the_end_as_fits() -> None:
    text = "Hello. A ship. Its builder"
    assert part_that_fits(text, lambda part: len(part) < 15) == "Its builder"
    assert part_that_fits(text, lambda part: len(part) < 25) == "A ship. Its builder"


@given(st.text(max_size=300), st.integers(2, 60))
def test_what_is_read_fits_and_was_asked(text: str, limit: int) -> None:
    part = part_that_fits(text, lambda part: len(part) < limit)
    assert len(part) < limit
    assert "".join(part.split()) in "".join(text.split())
