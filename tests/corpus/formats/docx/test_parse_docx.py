"""DOCX: headings, lists, tables, links, notes, changes; and files that are not what they seem."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_docx import made_docx, paragraph, table
from page_checks import check_any, mutations, page_of, reason_of

from lacuna.corpus.formats import docx as package
from lacuna.corpus.formats.docx import parse_docx
from lacuna.corpus.page import Page


def read(body: str, **more: str) -> Page:
    return page_of(parse_docx, "notes.docx", made_docx(body, **more))  # type: ignore[arg-type]


def text_of(body: str) -> str:
    return read(body).document.text


def test_headings_and_the_title() -> None:
    page = read(
        paragraph("The ferry", "Titel")
        + paragraph("History", "Ueberschrift1")
        + paragraph("It is old.")
        + paragraph("Engine", "Ueberschrift2")
        + paragraph("It is new.")
        + paragraph("Crew", "Kapitel")
        + paragraph("It is tired.")
    )
    assert page.document.title == "The ferry"
    paths = [section.path[1:] for section in page.document.sections[1:]]
    assert paths == [("History",), ("History", "Engine"), ("Crew",)]
    assert page.document.text.startswith("History\n\nIt is old.")


def test_the_file_name_is_the_title_of_what_has_none() -> None:
    assert read(paragraph("It is old.")).document.title == "notes"


def test_properties() -> None:
    core = "<title>The ferry</title><creator>Ada</creator><created>2021-03-04T05:06:07Z</created>"
    page = read(paragraph("It is old."), core=core)
    assert page.document.title == "The ferry"
    assert page.document.text.endswith("Properties\n\nauthor: Ada\ncreated: 2021-03-04")


def test_items_of_lists_are_neighbours() -> None:
    number = "<w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr>"
    numbered = f"<w:p>{number}<w:r><w:t>one</w:t></w:r></w:p>"
    text = text_of(numbered + paragraph("two", "Liste") + paragraph("After."))
    assert text == "one\ntwo\n\nAfter."


def test_tables_have_headings_spans_and_empty_cells() -> None:
    wide = (
        "<w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p><w:r><w:t>none</w:t></w:r></w:p></w:tc>"
    )
    rows = [["Plan", "Price", "Year"], ["Gold", "20", ""], ["Tin", wide]]
    header = "<w:trPr><w:tblHeader/></w:trPr>"
    assert text_of(table(rows, first_row=header)) == (
        "Plan: Gold | Price: 20 | Year: –\nPlan: Tin | Price, Year: none"
    )


def test_cells_that_reach_down() -> None:
    top = f"<w:tc><w:tcPr><w:vMerge w:val='restart'/></w:tcPr>{paragraph('Arden')}</w:tc>"
    below = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    rows = [["Boat", "Year"], [top, "1906"], [below, "1907"]]
    look = "<w:tblLook w:val='04A0'/>"
    assert text_of(table(rows, look)) == "Boat: Arden | Year: 1906\nBoat: Arden | Year: 1907"


def test_a_table_that_only_arranges_text() -> None:
    assert text_of(table([["One."], ["Two."]])) == "One.\n\nTwo."


def test_tables_in_tables_give_their_words() -> None:
    inner = f"<w:tc>{table([['a', 'b']])}<w:p/></w:tc>"
    assert text_of(table([[inner, "c"]])) == "a b | c"


def test_links_of_all_kinds() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText>HYPERLINK "https://example.org/b"</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>times</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    body = (
        '<w:p><w:hyperlink r:id="x"><w:r><w:t>the </w:t></w:r><w:r><w:t>port</w:t></w:r>'
        f"</w:hyperlink><w:r><w:t> and </w:t></w:r>{field}"
        '<w:hyperlink w:anchor="crew"><w:r><w:t> below</w:t></w:r></w:hyperlink></w:p>'
        '<w:p><w:bookmarkStart w:name="crew"/><w:r><w:t>Crew.</w:t></w:r></w:p>'
    )
    data = made_docx(body, links={"x": "port.docx"})
    page = page_of(parse_docx, "notes.docx", data)
    text = page.document.text
    assert text == "the port and times below\n\nCrew."
    assert [(text[link.start : link.end], link.target) for link in page.links] == [
        ("the port", "port.docx"),
        ("times", "https://example.org/b"),
        ("below", "#crew"),
    ]
    assert page.document.origin is not None
    assert page.document.origin.anchors == ((text.index("Crew."), "crew"),)


def test_notes_stand_at_the_end_of_their_section() -> None:
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    notes = (
        f'<w:footnote w:type="separator" w:id="0">{paragraph("no")}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph("Says Ada.")}</w:footnote>'
    )
    body = (
        paragraph("It is old.", inside=reference)
        + paragraph("It sails.")
        + paragraph("Crew", "Ueberschrift1")
        + paragraph("Tired.")
    )
    text = read(body, footnotes=notes).document.text
    assert text == "It is old.\n\nIt sails.\n\nSays Ada.\n\nCrew\n\nTired."


def test_changes_are_taken_as_accepted_and_hidden_text_is_not_shown() -> None:
    body = (
        "<w:p><w:r><w:t>It </w:t></w:r><w:del><w:r><w:delText>was</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>is</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t> gone</w:t></w:r></w:moveFrom>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t> secret</w:t></w:r><w:r><w:t> old.</w:t></w:r></w:p>"
    )
    assert text_of(body) == "It is old."


def test_text_boxes_are_read_once() -> None:
    box = f"<w:txbxContent>{paragraph('In a box.')}</w:txbxContent>"
    inside = (
        f"<w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert text_of(paragraph("Around it.", inside=inside)) == "Around it.\n\nIn a box."


def test_pictures_give_what_they_show_and_contents_nothing() -> None:
    picture = '<w:r><w:drawing><wp:docPr descr="A red boat"/></w:drawing></w:r>'
    text = text_of(paragraph("History 3", "Verzeichnis1") + paragraph("See:", inside=picture))
    assert text == "See: A red boat"


def test_a_large_first_letter_belongs_to_its_word() -> None:
    large = '<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr><w:r><w:t>T</w:t></w:r></w:p>'
    assert text_of(large + paragraph("he ferry.")) == "The ferry."


def test_lines_of_an_address_stay_lines() -> None:
    body = "<w:p><w:r><w:t>1 Quay</w:t><w:br/><w:t>Mull</w:t></w:r></w:p>"
    assert text_of(body) == "1 Quay\nMull"


def test_what_is_no_docx_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    old = package.OLD_FORMAT + bytes(500)
    assert "no DOCX" in reason_of(parse_docx, "a.docx", b"PK\3\4 no")
    assert "old format" in reason_of(parse_docx, "a.docx", old)
    assert "password" in reason_of(parse_docx, "a.docx", old + package.ENCRYPTED)
    assert reason_of(parse_docx, "a.docx", made_docx("")) == "it has no text"
    bomb = made_docx(paragraph("A"), head="<!DOCTYPE w [<!ENTITY a 'aaaa'>]>")
    assert "document type" in reason_of(parse_docx, "a.docx", bomb)
    assert "damaged" in reason_of(parse_docx, "a.docx", made_docx("<w:p>"))
    unknown = made_docx(paragraph("A"), head='<?xml version="1.0" encoding="UTF-88"?>')
    assert "damaged" in reason_of(parse_docx, "a.docx", unknown)
    monkeypatch.setattr(package, "LARGEST_PART", 1 << 20)
    large = made_docx(paragraph("A" * (2 << 20)))
    assert "larger than 1 MB" in reason_of(parse_docx, "a.docx", large)


def test_an_archive_without_text_is_told() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("a.txt", "A")
    assert "no text part" in reason_of(parse_docx, "a.docx", written.getvalue())


def test_tables_in_tables_without_end() -> None:
    depth = 2000
    body = "<w:tbl><w:tr><w:tc>" * depth + paragraph("In.") + "</w:tc></w:tr></w:tbl>" * depth
    check_any(parse_docx, "a.docx", made_docx(paragraph("Out.") + body))


TABLES = ["tbl", "tr", "tc", "vMerge", "gridSpan", "tblLook", "tblHeader", "txbxContent"]
WORDS = ["p", "r", "t", "br", "del", "footnote", "hyperlink", "fldChar", "instrText", "framePr"]
ELEMENTS = st.sampled_from(TABLES) | st.sampled_from(WORDS)
VALUES = st.sampled_from(["", "0", "3", "restart", "begin", "separate"])


def element(made: tuple[str, str, list[str]]) -> str:
    name, value, inside = made
    return f'<w:{name} w:val="{value}" w:fldCharType="{value}">{"".join(inside)}</w:{name}>'


TREE = st.recursive(
    st.text("ab ", max_size=3),
    lambda inside: st.tuples(ELEMENTS, VALUES, st.lists(inside, max_size=3)).map(element),
    max_leaves=25,
)


@settings(deadline=None)
@given(TREE)
def test_elements_in_any_order(body: str) -> None:
    check_any(parse_docx, "a.docx", made_docx(paragraph("Out.") + body))


def test_changed_files_are_read_or_told() -> None:
    body = paragraph("The ferry", "Titel") + table([["a", "b"], ["c", "d"]]) + paragraph("End.")
    data = made_docx(body)
    for changed in mutations(data, 150, seed=4):
        check_any(parse_docx, "a.docx", changed)
    for changed in mutations(body.encode(), 150, seed=5):
        check_any(parse_docx, "a.docx", made_docx(changed.decode("utf-8", "replace")))
