from itertools import pairwise

from doubling import is_quadratic
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.passages import LONGEST, TINY, SectionFinder, lead, passages
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


def document(*blocks: str, sections: tuple[tuple[str, ...], ...] = ()) -> Document:
    """A document of paragraphs; those that begin with # are headings of the sections given."""
    text, paragraphs, starts = "", [], []
    for block in blocks:
        text += "\n\n" * bool(text)
        if block.startswith("#"):
            starts.append(len(text))
        else:
            paragraphs.append(Span(len(text), len(text) + len(block)))
        text += block
    ends = [*(start - 2 for start in starts[1:]), len(text)]
    found = tuple(map(Section, sections, starts, ends))
    return Document("T", text, paragraphs=tuple(paragraphs), sections=found)


def texts(made: Document) -> list[str]:
    return [made.text[start:end].strip() for start, end in passages(made)]


LINE = "Nine words that fill about a line of text. "
LONG = (LINE * 9).strip()


def test_short_paragraphs_and_items_go_together() -> None:
    assert texts(document("One.", "Two.", "Three.")) == ["One.\n\nTwo.\n\nThree."]
    assert texts(document(LONG, LONG)) == [LONG, LONG]


def test_a_heading_goes_with_what_follows_and_ends_what_was_before() -> None:
    half = (LINE * 4).strip()
    made = document("# A", half, "# B", half, sections=(("A",), ("B",)))
    assert texts(made) == [f"# A\n\n{half}", f"# B\n\n{half}"]


def test_a_heading_with_hardly_a_line_goes_with_its_first_subsection() -> None:
    made = document("# A", "See below.", "# B", LONG[:200], sections=(("A",), ("A", "B")))
    assert len(texts(made)) == 1
    beside = document("# A", "See below.", "# B", LONG[:200], sections=(("A",), ("B",)))
    assert len(texts(beside)) == 2


def test_a_heading_at_the_end_is_not_left_alone() -> None:
    made = document("Some text.", "# See also", sections=(("See also",),))
    assert texts(made) == ["Some text.\n\n# See also"]


def test_a_lead_in_goes_with_its_list() -> None:
    before = LONG[:300]
    made = document(before, "The options are:", "first: " + LONG[:300])
    assert texts(made) == [before, "The options are:\n\nfirst: " + LONG[:300]]


def test_a_tiny_paragraph_goes_with_a_long_one() -> None:
    first, *_ = texts(document("Note", LONG + " " + LONG))
    assert first.startswith("Note\n\nNine")
    assert len(first) > TINY


def test_a_long_paragraph_is_cut_where_sentences_begin_into_like_parts() -> None:
    text = LINE * 20
    size = len(LINE)
    sentences = tuple(Span(at, at + size - 1) for at in range(0, len(text), size))
    spans = list(passages(Document("T", text, sentences=sentences)))
    assert all(start % size == 0 for start, _ in spans)
    lengths = [end - start for start, end in spans]
    assert max(lengths) <= LONGEST
    assert max(lengths) - min(lengths) <= size


def test_blank_texts_have_no_passages() -> None:
    assert not list(passages(Document("T", "")))
    assert not list(passages(Document("T", " \n ")))


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


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=9))
def test_the_innermost_section_is_the_last_that_begins_before(ends: list[tuple[int, int]]) -> None:
    sections = [Section((str(n),), *sorted(pair)) for n, pair in enumerate(ends)]
    finder = SectionFinder(Document("T", "x" * 13, sections=tuple(sections)))
    inner = sorted(sections, key=lambda section: (section.start, -section.end))
    for place in range(13):
        holding = [section for section in inner if section.start <= place < section.end]
        assert finder.at(place) == (holding[-1] if holding else None)


def test_many_sections_at_one_place_are_no_trouble() -> None:
    def find(text: str) -> None:
        empty = tuple(Section((f"h{number}",), 1, 1) for number in range(len(text)))
        finder = SectionFinder(Document("a", text, sections=(Section(("a",), 0, 9), *empty)))
        assert [finder.at(place) for place in range(len(text))].count(None) == len(text) - 9

    assert not is_quadratic(find, "a".__mul__)
