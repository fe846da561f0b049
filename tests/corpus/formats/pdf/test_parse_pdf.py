"""PDF: what is read, in which order, and what is told of files that cannot be read."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_pdf import MadePage, made_pdf
from page_checks import check_any, mutations, page_of, reason_of

from lacuna.corpus.formats import pdf
from lacuna.corpus.formats import pdf_extraction as extraction
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import parsed_items
from lacuna.corpus.formats.pdf import parse_pdf
from lacuna.corpus.store import Skipped
from lacuna.places import PlaceUnit

LEFT = [
    "The ferry Arden was built in nineteen hundred and six at",
    "the yard of Penhale and Sons, and it carried passengers be-",
    "tween the harbour of Mull and the island until the old com-",
    "pany was sold. It was rebuilt twice, and the engine was re-",
    "placed when the second owner took it over in the spring of",
    "that year. Nobody knows who paid for all of this work.",
]
RIGHT = [
    "The second vessel is smaller, and it sails on Sundays in the",
    "summer months alone. It was given the name of the town that",
    "had paid for it, and a bell that was cast by the founder who",
    "had made the bells of the church. In winter it lies in a dock",
    "of its own, which the council keeps dry at a cost that has",
    "been called a scandal by the newspapers of the mainland.",
]


def two_columns() -> MadePage:
    page = MadePage()
    page.write(60, 740, "Two boats and what became of them in the end, as told by all", 16, "bold")
    page.write_lines(40, 700, LEFT)
    page.write_lines(320, 700, RIGHT)
    return page


def test_columns_are_read_one_after_the_other() -> None:
    text = page_of(parse_pdf, "boats.pdf", made_pdf([two_columns()])).document.text
    assert "passengers between the harbour" in text
    assert "old company was sold" in text
    assert text.index("all of this work.") < text.index("The second vessel")
    assert "Sundays in the summer months" in text


def test_rows_of_a_table_stay_together() -> None:
    page = MadePage()
    page.write(60, 740, "What the plans of the ferry line cost in each of the years below.")
    for number, row in enumerate(
        (("Plan", "Price", "Year"), ("Gold", "20", "1998"), ("Tin", "5", "1999"))
    ):
        for column, cell in enumerate(row):
            page.write(60 + 150 * column, 700 - 12 * number, cell)
    text = page_of(parse_pdf, "plans.pdf", made_pdf([page])).document.text
    assert "Gold | 20 | 1998\nTin | 5 | 1999" in text


def numbered_pages(number: int) -> list[MadePage]:
    pages = []
    for at in range(number):
        page = MadePage()
        page.write(60, 770, "Annals of the Ferry Line", 8)
        page.write(300, 30, str(at + 41), 8)
        last = f"that year, in which {at * 7 + 3} boats were lost, more than in all the others"
        page.write_lines(60, 720 - at % 4 * 15, [*LEFT[:5], last, *RIGHT])
        pages.append(page)
    return pages


def test_running_heads_and_page_numbers_are_left_out() -> None:
    page = page_of(parse_pdf, "annals.pdf", made_pdf(numbered_pages(4)))
    assert "Annals" not in page.document.text
    assert "42" not in page.document.text
    assert "10 boats were lost" in page.document.text


def test_heads_that_change_are_known_by_the_page_number() -> None:
    pages = numbered_pages(4)
    names = ("absolute", "bessel", "cosine", "derivative")
    for number, name in enumerate(names):
        pages[number].write(60, 785, f"{number + 5} {name}")
    text = page_of(parse_pdf, "manual.pdf", made_pdf(pages)).document.text
    assert not any(name in text for name in names)


def test_numbers_that_do_not_count_pages_stay() -> None:
    pages = []
    for total in (1200, 45, 9000):
        pages.append(two_columns())
        pages[-1].write(60, 100, f"Total: {total} pounds")
    text = page_of(parse_pdf, "bills.pdf", made_pdf(pages)).document.text
    assert all(f"Total: {total}" in text for total in (1200, 45, 9000))


def test_titles_of_slides_stay() -> None:
    pages = []
    for at in range(3):
        pages.append(MadePage())
        pages[-1].write(60, 700, "What the boats did", 20)
        pages[-1].write_lines(60, 600, LEFT[at:])
    text = page_of(parse_pdf, "slides.pdf", made_pdf(pages, {"Title": "Talk"})).document.text
    assert text.count("What the boats did") == 3


def test_pages_are_the_places() -> None:
    page = page_of(parse_pdf, "annals.pdf", made_pdf(numbered_pages(3)))
    origin = page.document.origin
    assert origin is not None
    assert origin.unit is PlaceUnit.PAGE
    at = page.document.text.index("10 boats")
    assert str(origin.at(at)) == "annals.pdf, page 2"


def test_a_paragraph_over_a_page_break_is_one() -> None:
    first, second = MadePage(), MadePage()
    first.write_lines(60, 700, LEFT[:2])
    first.write_lines(60, 100, ["1 A note below the text, set small."], 7)
    second.write_lines(60, 740, LEFT[2:])
    page = page_of(parse_pdf, "a.pdf", made_pdf([first, second]))
    assert "carried passengers between the harbour" in page.document.text
    assert "A note below the text" in page.document.text


def test_headings_come_from_the_outline() -> None:
    page = MadePage()
    page.write(60, 740, "1 The Arden")
    page.write_lines(60, 715, LEFT)
    page.write(60, 500, "2 The other one")
    page.write_lines(60, 475, RIGHT)
    data = made_pdf([page], {"Title": "Boats"}, [("The Arden", 0), ("The other one", 0)])
    found = page_of(parse_pdf, "x.pdf", data)
    assert found.document.title == "Boats"
    paths = [section.path for section in found.document.sections[1:]]
    assert paths == [("Boats", "1 The Arden"), ("Boats", "2 The other one")]


def test_the_number_above_a_heading_is_none() -> None:
    page = MadePage()
    page.write_lines(60, 740, LEFT)
    page.write(60, 600, "Chapter 2", 14)
    page.write(60, 570, "The other one", 18)
    page.write_lines(60, 530, RIGHT)
    found = page_of(parse_pdf, "x.pdf", made_pdf([page], None, [("The other one", 0)]))
    assert [section.path[-1] for section in found.document.sections[1:]] == ["The other one"]


def test_headings_come_from_large_letters() -> None:
    page = MadePage()
    page.write(60, 760, "Annals of the Line", 20)
    page.write_lines(60, 720, LEFT)
    page.write(60, 600, "A second boat", 14, "bold")
    page.write_lines(60, 570, RIGHT)
    found = page_of(parse_pdf, "x.pdf", made_pdf([page], {"Title": "Microsoft Word - a.doc"}))
    assert found.document.title == "Annals of the Line"
    assert [section.path[1:] for section in found.document.sections[1:]] == [("A second boat",)]


@pytest.mark.parametrize("told", ["about:blank", "Untitled", "Microsoft Word - a.doc"])
def test_a_title_that_says_nothing_is_none(told: str) -> None:
    page = MadePage()
    page.write_lines(60, 740, LEFT)
    assert page_of(
        parse_pdf, "tide table.pdf", made_pdf([page], {"Title": told})
    ).document.title == ("tide table")


def test_code_keeps_its_lines() -> None:
    page = MadePage()
    page.write_lines(60, 740, LEFT)
    page.write_lines(60, 600, ["for boat in boats:", "    boat.sail()"], font="code")
    text = page_of(parse_pdf, "x.pdf", made_pdf([page])).document.text
    assert "for boat in boats:\n    boat.sail()" in text


def test_links_and_properties() -> None:
    page = MadePage()
    page.write_lines(60, 740, LEFT)
    page.write(60, 600, "See")
    page.write(85, 600, "the timetable")
    page.links.append(((84, 598, 160, 610), "https://example.org/times"))
    info = {"Author": "Ada Penhale", "CreationDate": "D:20210304120000Z"}
    found = page_of(parse_pdf, "x.pdf", made_pdf([page], info))
    (link,) = found.links
    assert found.document.text[link.start : link.end] == "the timetable"
    assert link.target == "https://example.org/times"
    assert found.document.text.endswith("Properties\n\nauthor: Ada Penhale\ncreated: 2021-03-04")


def test_scanned_pages_are_told() -> None:
    reason = reason_of(parse_pdf, "scan.pdf", made_pdf([MadePage(picture=True)] * 3))
    assert reason == (
        "it has no text: its 3 pages are pictures; run it through OCR, such as ocrmypdf, first"
    )
    page = page_of(parse_pdf, "scan.pdf", made_pdf([two_columns(), MadePage(picture=True)]))
    assert page.document.extra == {"note": "page 2 is a picture without text"}


def test_a_password_is_told() -> None:
    reason = reason_of(parse_pdf, "x.pdf", made_pdf([two_columns()], locked=True))
    assert reason == "it is encrypted with a password; remove the password first"


def test_broken_files_are_told_and_the_next_one_is_read() -> None:
    whole = made_pdf([two_columns()])
    assert "damaged" in reason_of(parse_pdf, "x.pdf", b"%PDF-1.4\nno more")
    assert "damaged" in reason_of(parse_pdf, "x.pdf", b"")
    assert "ferry" in page_of(parse_pdf, "x.pdf", whole).document.text
    wrong_places = whole.replace(b"\n0000000", b"\n9999999")
    assert "ferry" in page_of(parse_pdf, "x.pdf", wrong_places).document.text


def test_very_long_files_are_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "MOST_PAGES", 3)
    page = page_of(parse_pdf, "x.pdf", made_pdf(numbered_pages(6)))
    note = page.document.extra["note"]
    assert note == "only the first 3 of 6 pages were read: it is very long; split it"


def test_a_reader_that_dies_costs_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "MOST_SECONDS", 0.0)
    data = made_pdf(numbered_pages(30))
    (found,) = parse_pdf(Entry("x.pdf", data))
    assert "too long" in str(found)
    monkeypatch.undo()
    assert "ferry" in page_of(parse_pdf, "x.pdf", data).document.text


def test_without_the_library_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    monkeypatch.setattr(pdf, "_reader", extraction.PdfReader())
    (skipped,) = parsed_items(parse_pdf, Entry("x.pdf", made_pdf([two_columns()])))
    assert skipped == Skipped(
        "x.pdf",
        "it needs pypdfium2, which is not installed; install it with: pip install pypdfium2",
        lacks="pypdfium2",
    )


def test_changed_files_are_read_or_told() -> None:
    data = made_pdf([two_columns(), *numbered_pages(2)], {"Title": "Boats"}, [("Boats", 0)])
    for changed in mutations(data, 60, seed=1):
        check_any(parse_pdf, "x.pdf", changed)


WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=20)
PLACED = st.tuples(
    st.integers(-50, 650),
    st.integers(-50, 850),
    WORDS,
    st.integers(1, 40),
    st.sampled_from(("plain", "bold", "code")),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(PLACED, max_size=30), min_size=1, max_size=3))
def test_text_anywhere_gives_places_that_hold(
    pages: list[list[tuple[int, int, str, int, str]]],
) -> None:
    made = []
    for placed in pages:
        made.append(MadePage())
        for x, y, text, size, font in placed:
            made[-1].write(x, y, text, size, font)
    check_any(parse_pdf, "x.pdf", made_pdf(made))
