from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.passages import LONGEST, SectionFinder, lead, passages
from lacuna.types import Document, Section, Span


@given(st.text("ab \n", min_size=1, max_size=50), st.lists(st.integers(0, 50), max_size=6))
def test_passages_cover_every_word_once(text: str, cuts: list[int]) -> None:
    places = sorted(min(cut, len(text)) for cut in cuts)
    paragraphs = tuple(Span(*pair) for pair in pairwise(places))
    covered = "".join(
        text[start:end] for start, end in passages(Document("T", text, paragraphs=paragraphs))
    )
    assert "".join(covered.split()) == "".join(text.split())


def test_a_long_paragraph_is_cut_between_words() -> None:
    text = "word " * 10_000
    spans = list(passages(Document("T", text)))
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(end - start <= LONGEST for start, end in spans)
    assert all(text[end - 1] == " " for _, end in spans)


def test_a_text_without_spaces_is_cut_too() -> None:
    assert len(list(passages(Document("T", "x" * (2 * LONGEST + 1))))) == 3


def test_the_lead_is_the_first_paragraph_or_all() -> None:
    assert lead(Document("T", "one two", paragraphs=(Span(0, 3), Span(4, 7)))) == Span(0, 3)
    assert lead(Document("T", "one two")) == Span(0, 7)


def test_the_innermost_section_holds_a_place() -> None:
    sections = (Section(("A",), 2, 9), Section(("A", "B"), 4, 6))
    finder = SectionFinder(Document("T", "0123456789", sections=sections))
    assert finder.at(5) == sections[1]
    assert finder.at(7) == sections[0]
    assert finder.at(0) is None
