"""Tables of values: delimiters, encodings, headers, quotes that never end, and long tables."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_checks import check_any, mutations, page_of, pages_of, reason_of

from lacuna.corpus.formats import delimited as parse
from lacuna.corpus.formats.delimited import parse_table
from lacuna.places import PlaceUnit

PEOPLE = "Name,Born,Home\nAda,1912,Mull\nBob,,Iona\n"


def text_of(data: str | bytes, name: str = "people.csv") -> str:
    data = data.encode() if isinstance(data, str) else data
    return page_of(parse_table, name, data).document.text


def test_each_value_stands_with_its_column() -> None:
    assert text_of(PEOPLE) == (
        "Table of 2 rows with the columns Name, Born, Home.\n\n"
        "Name: Ada | Born: 1912 | Home: Mull\n"
        "Name: Bob | Born: – | Home: Iona"
    )


def test_rows_are_the_places_as_a_spreadsheet_counts_them() -> None:
    page = page_of(parse_table, "people.csv", PEOPLE.encode())
    origin = page.document.origin
    assert origin is not None
    assert origin.unit is PlaceUnit.ROW
    assert str(origin.at(page.document.text.index("Bob"))) == "people.csv, row 3"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter: str) -> None:
    assert text_of(PEOPLE.replace(",", delimiter)) == text_of(PEOPLE)


def test_a_tsv_file_has_tabs() -> None:
    text = text_of("word\tmeaning\nsalt, sea\ta, b, c\n", "words.tsv")
    assert text.endswith("word: salt, sea | meaning: a, b, c")


def test_the_delimiter_that_excel_is_told() -> None:
    assert text_of("sep=;\nName;Born\nAda;1912\n").endswith("Name: Ada | Born: 1912")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str) -> None:
    assert "Name: Zoë" in text_of("Name,Born\nZoë,1912\n".encode(encoding))


def test_what_windows_writes_is_read_with_a_note() -> None:
    page = page_of(parse_table, "a.csv", "Name;Preis\nZoë;5 €\n".encode("cp1252"))
    assert "Name: Zoë | Preis: 5 €" in page.document.text
    assert page.document.extra == {"note": "it is not UTF-8 and was read as Windows-1252"}


def test_numbers_have_no_header() -> None:
    assert text_of("1,2\n3,4\n") == "Table of 2 rows and 2 columns.\n\n1 | 2\n3 | 4"


@pytest.mark.parametrize(
    ("table", "first"),
    [
        ("Ann Lee,ann,\nBob Day,bob,Mate\nCid Roe,,Mate\n", "Ann Lee | ann"),
        ("Ann Lee,,Mate\nBob Day,bob,\nCid Roe,cid,\n", "Ann Lee | – | Mate"),
        ("Ann Lee,ann,Mate\nBob Day,bob,Mate\nCid Roe,cid,Cook\n", "Ann Lee | ann | Mate"),
    ],
    ids=["a column without a name", "a column in the middle without a name", "a name said below"],
)
def test_a_first_row_that_does_not_name_its_columns_is_a_row(table: str, first: str) -> None:
    text = text_of(table)
    assert text.startswith(f"Table of 3 rows and 3 columns.\n\n{first}\n")


def test_a_header_may_leave_unnamed_what_is_empty_and_stand_there_again() -> None:
    text = text_of("Name,Born,\nAda,1912,\nName,Born,\nBob,1913,\n")
    assert "Name: Ada | Born: 1912" in text
    assert "Name: Bob | Born: 1913" in text


def test_years_are_a_header() -> None:
    text = text_of("Town,1990,1991,1992\nMull,5,6,7\n")
    assert text.endswith("Town: Mull | 1990: 5 | 1991: 6 | 1992: 7")


def test_names_of_rows_may_have_no_name() -> None:
    assert text_of("Weight,Feed\nr1,2,3\nr2,4,5\n").endswith("r2 | Weight: 4 | Feed: 5")


def test_a_title_above_the_table() -> None:
    text = text_of("Sales of the line,,\n,,\nYear,Boat,Sold\n1990,Arden,7\n1991,Arden,8\n")
    assert "Sales of the line\nYear: 1990 | Boat: Arden | Sold: 7" in text


def test_line_ends_in_quotes_are_kept_in_one_row() -> None:
    page = page_of(parse_table, "a.csv", b'Name,Note\nAda,"one\ntwo"\nBob,three\n')
    assert "Name: Ada | Note: one two\nName: Bob" in page.document.text
    assert page.document.origin is not None
    assert page.document.origin.marks[-1][1] == 3


def test_a_quote_that_never_ends_is_told() -> None:
    rows = "".join(f"Boat {number},{number}\n" for number in range(20_000))
    page = page_of(parse_table, "a.csv", f'Name,Number\nAda,1\n"Bob,2\n{rows}'.encode())
    note = "a quote in row 3 never ends; each line from there on is read as a row"
    assert page.document.extra == {"note": note}
    assert 'Name: "Bob | Number: 2\nName: Boat 0 | Number: 0' in page.document.text
    assert page.document.text.endswith("Name: Boat 19999 | Number: 19999")


def test_ten_thousand_columns_are_bounded_and_told() -> None:
    header = ",".join(f"column{number}" for number in range(10_000))
    page = page_of(parse_table, "a.csv", f"{header}\n{',' * 9_998}5\n{'x,' * 9_999}x\n".encode())
    assert page.document.extra == {"note": "only the first 1000 of 10000 columns were read"}
    assert "column999: x" in page.document.text
    assert "column1000" not in page.document.text


def test_long_tables_become_several_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "LARGEST_PART", 100)
    rows = "".join(f"Boat {number},{number}\n" for number in range(30))
    pages = pages_of(parse_table, "boats.csv", f"Name,Number\n{rows}".encode())
    assert len(pages) > 3
    assert pages[0].part.startswith("rows 1-")
    assert pages[0].document.title == f"boats, {pages[0].part}"
    assert all("Table of 30 rows" in page.document.text for page in pages)
    marks = [
        number for page in pages if page.document.origin for _, number in page.document.origin.marks
    ]
    assert marks == list(range(1, 32))


def test_too_much_text_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "LARGEST_TEXT", 50)
    page = page_of(parse_table, "a.csv", b"Name,Number\n" + b"boat,12345\n" * 9)
    assert "rows after" in page.document.extra["note"]


def test_addresses_are_links() -> None:
    page = page_of(parse_table, "a.csv", b"Name,Page\nAda,https://example.org/ada\n")
    assert [link.target for link in page.links] == ["https://example.org/ada"]


@pytest.mark.parametrize("data", [b"", b"\n\n", b",,\n,,\n"])
def test_nothing_in_it(data: bytes) -> None:
    assert reason_of(parse_table, "a.csv", data) == "it has no text"


def test_one_endless_cell_is_told() -> None:
    assert "too long" in reason_of(parse_table, "a.csv", b"x" * 200_000)


def test_binary_data_is_told() -> None:
    assert "not text" in reason_of(parse_table, "a.csv", b"a,b\n\0\x81\xff")


CELL = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf")), max_size=8)


@settings(deadline=None)
@given(st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=1, max_size=6))
def test_no_value_is_lost(rows: list[list[str]]) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter="\t").writerows([["left", "right"], *rows])
    data = written.getvalue()
    words = [word for row in rows for cell in row for word in cell.split()]
    text = page_of(parse_table, "a.tsv", data.encode()).document.text.split()
    assert all(word in text for word in words)


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text("a1,;\"\n\r\t|' ", max_size=200).map(str.encode))
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    check_any(parse_table, "a.csv", data)


def test_changed_files_are_read_or_told() -> None:
    data = PEOPLE.encode() * 20 + b'"quoted, twice","and\nmore",x\n'
    for changed in mutations(data, 200, seed=2):
        check_any(parse_table, "a.csv", changed)
