"""PowerPoint, Excel and OpenDocument: slides and sheets as sections; and files that are not what
they seem."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_office import made_open_document, made_pptx, made_xlsx, shape, zipped
from page_checks import check_any, mutations, page_of, reason_of

from lacuna.corpus.formats import docx as package
from lacuna.corpus.formats import office
from lacuna.corpus.formats.office import parse_office
from lacuna.corpus.page import Page
from lacuna.places import PlaceUnit


def headings_of(page: Page) -> list[str]:
    return [section.path[-1] for section in page.document.sections[1:]]


def place_of(page: Page, words: str) -> str:
    origin = page.document.origin
    assert origin is not None
    return str(origin.at(page.document.text.index(words)))


def slides(*shapes: str, **more: object) -> Page:
    return page_of(parse_office, "fleet.pptx", made_pptx(list(shapes), **more))  # type: ignore[arg-type]


def sheets(rows: dict[str, str], **more: object) -> Page:
    return page_of(parse_office, "fleet.xlsx", made_xlsx(rows, **more))  # type: ignore[arg-type]


def document(kind: str, body: str, name: str = "fleet.odt", **more: str) -> Page:
    return page_of(parse_office, name, made_open_document(kind, body, **more))


def test_slides_are_sections_with_their_numbers() -> None:
    page = slides(
        shape("ctrTitle", "The fleet"),
        shape("title", "Old boats") + shape("body", "Tern", "Gull") + shape("sldNum", "2"),
        shape("", "Loose words."),
        notes={2: "Say it slowly."},
    )
    assert page.document.title == "fleet"
    assert headings_of(page) == ["Slide 1: The fleet", "Slide 2: Old boats", "Slide 3"]
    assert page.document.text == (
        "Slide 1: The fleet\n\nSlide 2: Old boats\n\nTern\nGull\n\nNotes: Say it slowly.\n\n"
        "Slide 3\n\nLoose words."
    )
    assert place_of(page, "Gull") == "fleet.pptx, page 2"


def test_tables_and_links_on_a_slide() -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<a:tc {more}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    rows = [
        cell("Plan") + cell("Price", 'gridSpan="2"') + cell("", 'hMerge="1"'),
        cell("Gold", 'rowSpan="2"') + cell("20") + cell("25"),
        cell("", 'vMerge="1"') + cell("30") + cell("35"),
    ]
    made = "".join(f"<a:tr>{row}</a:tr>" for row in rows)
    link = '<a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>the site</a:t></a:r>'
    page = slides(
        f'<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>{made}</a:tbl></p:graphicFrame>'
        + shape("", f"<a:r><a:t>See </a:t></a:r>{link}<a:r><a:t> now.</a:t></a:r>"),
        links={"l": "https://a.org"},
    )
    assert page.document.text == (
        "Slide 1\n\nPlan: Gold | Price: 20 | Price: 25\nPlan: Gold | Price: 30 | Price: 35\n\n"
        "See the site now."
    )
    (linked,) = page.links
    assert page.document.text[linked.start : linked.end] == "the site"
    assert linked.target == "https://a.org"


def test_hidden_slides_and_sheets_are_told() -> None:
    page = slides(shape("", "Shown."), shape("", "Secret."), shown='show="0"')
    assert "Secret" not in page.document.text
    assert page.document.extra == {"note": "1 hidden slide was left out"}
    row = '<row r="1"><c r="A1" t="str"><v>Words</v></c></row>'
    page = sheets({"Seen": row, "Unseen": row}, hidden=("Unseen",))
    assert headings_of(page) == ["Seen"]
    assert page.document.extra == {"note": "1 hidden sheet was left out"}


def test_properties() -> None:
    core = "<title>The fleet</title><creator>Ada</creator><created>2021-03-04T05:06:07Z</created>"
    page = slides(shape("", "Words."), core=core)
    assert page.document.title == "The fleet"
    assert page.document.text.endswith("Properties\n\nauthor: Ada\ncreated: 2021-03-04")
    meta = "<dc:title>The fleet</dc:title><meta:initial-creator>Ada</meta:initial-creator>"
    page = document("text", "<text:p>Words.</text:p>", meta=meta)
    assert page.document.title == "The fleet"
    assert page.document.text.endswith("Properties\n\nauthor: Ada")


def test_sheets_are_sections_with_rows_under_their_headings() -> None:
    page = sheets(
        {
            "Prices": '<row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c></row>'
            '<row r="4"><c r="B4" t="inlineStr"><is><t>Gold</t></is></c>'
            '<c r="C4"><f>1+1</f><v>20.5</v></c></row>'
            '<row r="7"><c r="B7" t="str"><v>Tin</v></c></row>',
            "Crew": '<row><c t="str"><v>Ada Lee</v></c><c><v>7</v></c></row>'
            '<row><c t="str"><v>Bob Day</v></c><c t="b"><v>1</v></c></row>'
            '<row><c t="str"><v>Cid Roe</v></c><c t="e"><v>#N/A</v></c></row>',
        },
        shared=["<t>Plan</t>", "<r><t>Pri</t></r><r><t>ce</t></r><rPh><t>x</t></rPh>"],
    )
    assert page.document.text == (
        "Prices\n\nPlan: Gold | Price: 20.5\nPlan: Tin | Price: –\n\n"
        "Crew\n\nAda Lee | 7\nBob Day | TRUE\nCid Roe | #N/A"
    )
    assert headings_of(page) == ["Prices", "Crew"]
    assert page.document.origin is not None
    assert page.document.origin.unit is PlaceUnit.ROW
    assert place_of(page, "Tin") == "fleet.xlsx, row 7"


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("yyyy-mm-dd", "44259", "2021-03-04"),
        ("d/m/yy h:mm", "44259.520833333336", "2021-03-04 12:30"),
        ("[h]:mm", "0.5", "12:00"),
        ("0%", "0.07", "7%"),
        ("0.00", "0.30000000000000004", "0.3"),
        ("&quot;days&quot; 0", "5", "5"),
        ("[Red]0", "5", "5"),
        ("General", "1E+20", "1e+20"),
        ("yyyy", "1e300", "1e+300"),
        ("yyyy", "nan", "nan"),
    ],
)
def test_numbers_are_shown_as_a_reader_sees_them(code: str, value: str, shown: str) -> None:
    row = f'<row><c t="str"><v>On</v></c><c s="1"><v>{value}</v></c></row>'
    assert sheets({"A": row}, formats=(code,)).document.text == f"A\n\nOn | {shown}"


def test_a_workbook_of_1904() -> None:
    row = '<row><c t="str"><v>On</v></c><c s="1"><v>42797</v></c></row>'
    page = sheets({"A": row}, formats=("d.m.y",), workbook='<workbookPr date1904="1"/>')
    assert page.document.text == "A\n\nOn | 2021-03-04"


def test_a_text_document() -> None:
    page = document(
        "text",
        '<text:sequence-decls/><text:p text:style-name="Title">The fleet</text:p>'
        "<text:table-of-content><text:p>History 1</text:p></text:table-of-content>"
        '<text:h text:outline-level="1">History</text:h>'
        '<text:p>It is<text:s text:c="3"/><text:a xlink:href="https://a.org">very '
        "<text:span>old</text:span></text:a><text:note><text:note-citation>1"
        "</text:note-citation><text:note-body><text:p>Said so.</text:p></text:note-body>"
        "</text:note>.<text:line-break/>Yes.</text:p>"
        "<text:tracked-changes><text:p>Gone.</text:p></text:tracked-changes>"
        "<text:list><text:list-item><text:p>one</text:p></text:list-item>"
        "<text:list-item><text:p>two</text:p></text:list-item></text:list>"
        "<text:p><draw:frame><draw:image/><svg:desc>A boat</svg:desc></draw:frame></text:p>"
        '<text:h text:outline-level="2">Prices</text:h>'
        "<table:table><table:table-header-rows><table:table-row>"
        "<table:table-cell><text:p>Plan</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-spanned="2"><text:p>Price</text:p>'
        "</table:table-cell><table:covered-table-cell/></table:table-row>"
        "</table:table-header-rows><table:table-row>"
        '<table:table-cell table:number-rows-spanned="2"><text:p>Gold</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="2"><text:p>20</text:p>'
        "</table:table-cell></table:table-row><table:table-row><table:covered-table-cell/>"
        "<table:table-cell><text:p>30</text:p></table:table-cell><table:table-cell>"
        "<text:p>35</text:p></table:table-cell></table:table-row></table:table>",
    )
    assert page.document.title == "The fleet"
    assert page.document.text == (
        "History\n\nIt is very old.\nYes.\n\none\ntwo\n\nA boat\n\nSaid so.\n\nPrices\n\n"
        "Plan: Gold | Price: 20 | Price: 20\nPlan: Gold | Price: 30 | Price: 35"
    )
    (link,) = page.links
    assert page.document.text[link.start : link.end] == "very old"


def test_a_spreadsheet() -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    far = '<table:table-cell table:number-columns-repeated="16000"/>'
    page = document(
        "spreadsheet",
        f'<table:table table:name="Prices"><table:table-row>{cell("Plan")}{cell("Price")}{far}'
        '</table:table-row><table:table-row table:number-rows-repeated="3">'
        f"{far}</table:table-row><table:table-row>{cell('Gold')}{cell('20')}</table:table-row>"
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/>'
        '</table:table-row></table:table><table:table table:name="Crew">'
        f'<table:table-row table:number-rows-repeated="2">{cell("Ada")}{cell("7")}'
        "</table:table-row></table:table>",
        "fleet.ods",
    )
    assert page.document.text == "Prices\n\nPlan: Gold | Price: 20\n\nCrew\n\nAda | 7\nAda | 7"
    assert place_of(page, "Gold") == "fleet.ods, row 5"


def test_an_open_presentation() -> None:
    page = document(
        "presentation",
        '<draw:page draw:name="page1"><draw:frame presentation:class="title"><draw:text-box>'
        "<text:p>Old boats</text:p></draw:text-box></draw:frame>"
        '<draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item>'
        "<text:p>Tern</text:p></text:list-item></text:list></draw:text-box></draw:frame>"
        "<presentation:notes><draw:frame><draw:text-box><text:p>Slowly.</text:p>"
        "</draw:text-box></draw:frame></presentation:notes></draw:page>"
        "<draw:page><draw:frame><draw:text-box><text:p>Loose.</text:p></draw:text-box>"
        "</draw:frame></draw:page>",
        "fleet.odp",
    )
    assert page.document.text == (
        "Slide 1: Old boats\n\nTern\n\nNotes: Slowly.\n\nSlide 2\n\nLoose."
    )
    assert place_of(page, "Loose") == "fleet.odp, page 2"


def test_what_is_no_office_file_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    old = package.OLD_FORMAT + bytes(500)
    assert "no PPTX" in reason_of(parse_office, "a.pptx", b"PK\3\4 no")
    assert "save it as .xlsx" in reason_of(parse_office, "a.xlsx", old)
    assert "password" in reason_of(parse_office, "a.xlsx", old + package.ENCRYPTED)
    assert "no text part" in reason_of(parse_office, "a.odt", zipped({"a.txt": "A"}))
    assert reason_of(parse_office, "a.pptx", made_pptx([])) == "it has no text"
    assert reason_of(parse_office, "a.xlsx", made_xlsx({"Empty": ""})) == "it has no text"
    assert reason_of(parse_office, "a.odt", made_open_document("text", "")) == "it has no text"
    entity = "<!DOCTYPE w [<!ENTITY a 'aaaa'>]>"
    bomb = made_pptx([shape("", "A")], head=entity)
    assert "document type" in reason_of(parse_office, "a.pptx", bomb)
    bomb = made_open_document("text", "<text:p>A</text:p>", head=entity)
    assert "document type" in reason_of(parse_office, "a.odt", bomb)
    assert "damaged" in reason_of(parse_office, "a.odt", made_open_document("text", "<text:p>"))
    assert "damaged" in reason_of(parse_office, "a.pptx", made_pptx(["<p:sp>"]))
    assert "damaged" in reason_of(parse_office, "a.xlsx", made_xlsx({"A": "<row>"}))
    locked = zipped({"content.xml": "x", "META-INF/manifest.xml": "<m><encryption-data/></m>"})
    assert "password" in reason_of(parse_office, "a.odt", locked)
    monkeypatch.setattr(package, "LARGEST_PART", 1 << 20)
    large = made_open_document("text", f"<text:p>{'A' * (2 << 20)}</text:p>")
    assert "larger than 1 MB" in reason_of(parse_office, "a.odt", large)
    monkeypatch.setattr(package, "LARGEST_PACKAGE", 1 << 19)
    many = made_pptx([shape("", "A" * 200_000)] * 4)
    assert "unpacks to more" in reason_of(parse_office, "a.pptx", many)


def test_a_workbook_that_says_one_long_word_without_end_is_cut_with_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(office, "LARGEST_TEXT", 10_000)
    row = '<row><c t="s"><v>0</v></c><c r="XFD1" t="s"><v>0</v></c></row>'
    page = sheets({"A": row * 2_000, "B": row}, shared=[f"<t>{'long ' * 100}</t>"])
    assert len(page.document.text) < 30_000
    assert page.document.extra["note"] == (
        "rows of A after 19 were left out: its text is too long; split it"
    )
    far = "".join(f'<row r="{n}"><c r="ALK{n}"><v>1</v></c></row>' for n in range(1, 500))
    assert "too long" in sheets({"A": far}).document.extra["note"]


def test_a_cell_that_repeats_without_end_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "LARGEST_TEXT", 10_000)
    many = "<table:table-row table:number-rows-repeated='999999999'><table:table-cell "
    many += "table:number-columns-repeated='999999999'><text:p>A</text:p></table:table-cell>"
    page = document("spreadsheet", f"<table:table>{many}</table:table-row></table:table>")
    assert len(page.document.text) < 30_000
    page = document("text", f"<table:table>{many}</table:table-row></table:table>")
    assert len(page.document.text) < 30_000


def test_elements_in_elements_without_end() -> None:
    depth = 2000
    cell = "<table:table><table:table-row><table:table-cell><text:list><text:list-item>"
    ends = "</text:list-item></text:list></table:table-cell></table:table-row></table:table>"
    body = f"<text:p>Out.</text:p>{cell * depth}<text:p>In.</text:p>{ends * depth}"
    check_any(parse_office, "a.odt", made_open_document("text", body))
    cell, ends = "<a:tbl><a:tr><a:tc><p:sp>", "</p:sp></a:tc></a:tr></a:tbl>"
    slide = shape("", "Out.") + cell * depth + shape("", "In.") + ends * depth
    check_any(parse_office, "a.pptx", made_pptx([slide]))


NAMES = st.sampled_from(["text:p", "text:h", "text:a", "text:list", "text:note", "text:s"])
NAMES |= st.sampled_from(["table:table", "table:table-row", "table:table-cell", "text:note-body"])
NAMES |= st.sampled_from(["draw:page", "draw:frame", "presentation:notes", "svg:desc"])
NAMES |= st.sampled_from(["table:covered-table-cell", "text:line-break"])
VALUES = st.sampled_from(["", "0", "3", "-1", "title", "99999999999"])
TREE = st.recursive(
    st.text("ab ", max_size=3),
    lambda inside: st.tuples(NAMES, VALUES, st.lists(inside, max_size=3)).map(
        lambda made: (
            f'<{made[0]} text:outline-level="{made[1]}" table:number-columns-repeated="{made[1]}" '
            f'table:number-rows-spanned="{made[1]}" presentation:class="{made[1]}" '
            f'xlink:href="{made[1]}">{"".join(made[2])}</{made[0]}>'
        )
    ),
    max_leaves=25,
)


@settings(deadline=None)
@given(TREE, st.sampled_from(["text", "spreadsheet", "presentation"]))
def test_elements_in_any_order(body: str, kind: str) -> None:
    check_any(parse_office, "a.odt", made_open_document(kind, f"<text:p>Out.</text:p>{body}"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pptx", made_pptx([shape("title", "Old") + shape("body", "A", "B")], notes={1: "N"})),
        ("a.xlsx", made_xlsx({"A": '<row><c t="s"><v>0</v></c></row>'}, shared=["<t>W</t>"])),
        ("a.odt", made_open_document("text", "<text:h>H</text:h><text:p>Words.</text:p>")),
    ],
)
def test_changed_files_are_read_or_told(name: str, data: bytes) -> None:
    for changed in mutations(data, 60, seed=6):
        check_any(parse_office, name, changed)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    for part, content in parts.items():
        for changed in mutations(content, 12, seed=7):
            spoilt = {**parts, part: changed}
            written = {key: value.decode("utf-8", "replace") for key, value in spoilt.items()}
            check_any(parse_office, name, zipped(written))
