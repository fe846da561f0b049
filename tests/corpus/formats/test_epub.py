"""EPUB books: chapters in order, their titles and links, and books that cannot be read."""

from __future__ import annotations

import io
import zipfile
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.formats import epub
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.epub import parse_epub
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped

CONTAINER = '<container><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>'
PACKAGE = """<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Sails</dc:title>
<dc:creator>Ann Voss</dc:creator><dc:creator>Bo Ek</dc:creator></metadata><manifest>
<item id="n" href="nav.xhtml" properties="nav"/><item id="c" href="cover.xhtml"/>
<item id="1" href="one.xhtml"/><item id="2" href="more/two%20b.xhtml"/>
<item id="t" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>
<spine><itemref idref="c"/><itemref idref="n"/><itemref idref="2"/><itemref idref="1"/></spine>
</package>"""
TOC = """<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "ncx.dtd"><ncx>
<navPoint><navLabel><text>The wind</text></navLabel><content src="one.xhtml#a"/></navPoint></ncx>"""
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "in/book.opf": PACKAGE,
    "in/toc.ncx": TOC,
    "in/nav.xhtml": '<nav><a href="one.xhtml">The wind</a></nav>',
    "in/cover.xhtml": '<?xml version="1.0"?><html><title/><body><img src="c.png"/></body></html>',
    "in/one.xhtml": '<html><title>Sails</title><body>It blows, see <a href="more/two%20b.xhtml#x">'
    'sails</a>, <a href="#a">here</a> and <a href="https://example.org/">there</a> for more of it.',
    "in/more/two b.xhtml": "<h1>The sail</h1><p id='x'>It is white.",
}


def packed(files: dict[str, str | bytes], **options: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", options.get("method", zipfile.ZIP_DEFLATED)) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def parsed(data: bytes) -> list[Page | Skipped]:
    return list(parse_epub(Entry("shelf/sails.epub", data)))


def test_chapters_come_in_the_order_of_the_book() -> None:
    sail, wind = parsed(packed({**BOOK}))
    assert isinstance(sail, Page)
    assert isinstance(wind, Page)
    assert (sail.path, sail.document.title) == ("shelf/sails.epub#in/more/two b.xhtml", "The sail")
    assert (wind.part, wind.document.title, wind.names) == ("in/one.xhtml", "The wind", ("Sails",))
    assert wind.document.text.startswith("It blows")


def test_what_the_book_says_of_itself_is_said_once() -> None:
    sail, wind = (page for page in parsed(packed({**BOOK})) if isinstance(page, Page))
    assert sail.document.text.endswith("Properties\n\nbook: Sails\nauthor: Ann Voss, Bo Ek")
    assert "Properties" not in wind.document.text


def test_links_between_chapters_name_the_part_of_the_book() -> None:
    wind = parsed(packed({**BOOK}))[1]
    assert isinstance(wind, Page)
    assert [link.target for link in wind.links] == [
        "sails.epub#in/more/two b.xhtml#x",
        "sails.epub#in/one.xhtml#a",
        "https://example.org/",
    ]


def test_a_book_without_a_package_file_is_read_by_name() -> None:
    pages = parsed(packed({"b.xhtml": "<p>Two.", "a.html": "<p>One."}))
    assert [page.part for page in pages if isinstance(page, Page)] == ["a.html", "b.xhtml"]


def test_a_chapter_that_is_missing_is_told() -> None:
    found = parsed(packed({name: text for name, text in BOOK.items() if "one" not in name}))
    assert isinstance(found[0], Page)
    where = "shelf/sails.epub#in/one.xhtml"
    assert found[1:] == [Skipped(where, "it is missing in the book, or damaged")]


def locked(algorithm: str) -> dict[str, str | bytes]:
    lock = f'<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/></EncryptedData>'
    return {**BOOK, "META-INF/encryption.xml": f"{lock}</encryption>"}


def test_fonts_may_be_locked() -> None:
    assert len(parsed(packed(locked("http://www.idpf.org/2008/embedding")))) == 2


def with_password(data: bytes) -> bytes:
    """The flag of encryption set on every file, here and in the archive's index."""
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        pieces = data.split(mark)
        data = mark.join(
            [pieces[0], *(p[: at - 4] + b"\x01\x00" + p[at - 2 :] for p in pieces[1:])]
        )
    return data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is cut off or damaged"),
        (b"PK\x03\x04 no zip", "it is cut off or damaged"),
        (packed({**BOOK})[:-30], "it is cut off or damaged"),
        (packed({"a.txt": "no book"}), "it has no chapters"),
        (packed({"a.xhtml": "<p>"}), "it has no text"),
        (packed(locked("http://www.w3.org/2001/04/xmlenc#aes128-cbc")), "it is locked"),
        (with_password(packed({**BOOK}, method=zipfile.ZIP_STORED)), "it is encrypted"),
    ],
)
def test_books_that_cannot_be_read(data: bytes, reason: str) -> None:
    (found,) = parsed(data)
    assert isinstance(found, Skipped)
    assert reason in found.reason


def test_a_book_that_unpacks_to_too_much_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epub, "LARGEST_BOOK", 1 << 20)
    found = parsed(packed({f"{n}.xhtml": "<p>" + "x" * 100_000 for n in range(20)}))
    assert isinstance(found[-1], Skipped)
    assert "unpacks to more" in found[-1].reason


def test_entities_that_never_end_are_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><package>&b;</package>'
    pages = parsed(packed({**BOOK, "in/book.opf": bomb}))
    assert {page.part for page in pages if isinstance(page, Page)} == {
        "in/one.xhtml",
        "in/more/two b.xhtml",
    }


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_books_are_read_or_skipped(data: st.DataObject) -> None:
    files: dict[str, str | bytes] = {}
    for name, text in BOOK.items():
        content = bytearray(text.encode())
        for _ in range(data.draw(st.integers(0, 3))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        files[name] = bytes(content)
    book = bytearray(packed(files))
    for _ in range(data.draw(st.integers(0, 3))):
        book[data.draw(st.integers(0, len(book) - 1))] = data.draw(st.integers(0, 255))
    for page in parsed(bytes(book)):
        if isinstance(page, Page):
            size = len(page.document.text)
            assert all(0 <= link.start < link.end <= size for link in page.links)
            assert all(one.end <= two.start for one, two in pairwise(page.links))
