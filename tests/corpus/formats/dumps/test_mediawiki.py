"""MediaWiki dumps: pages, redirects, namespaces, wikitext, and hostile XML."""

from __future__ import annotations

import bz2
import gzip
import os
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from lacuna.corpus.formats import mediawiki
from lacuna.corpus.formats.mediawiki import read_mediawiki
from lacuna.corpus.formats.wikitext import WikitextParser
from lacuna.corpus.store import Redirect, Skipped
from lacuna.errors import LacunaError
from lacuna.types import Document

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><siteinfo><namespaces>'
    '<namespace key="0"/><namespace key="1">Diskussion</namespace>'
    '<namespace key="6">Datei</namespace></namespaces></siteinfo>'
)


def page(title: str, text: str, namespace: int = 0, more: str = "", model: str = "wikitext") -> str:
    return (
        f"<page><title>{escape(title)}</title><ns>{namespace}</ns>{more}<revision><model>{model}"
        f'</model><text xml:space="preserve">{escape(text)}</text></revision></page>'
    )


def dump(*pages: str) -> bytes:
    return (HEAD + "".join(pages) + "</mediawiki>").encode()


def read(wikitext: str) -> Document:
    return WikitextParser().document("Page", wikitext)


def anchors(document: Document) -> list[tuple[str, str, str]]:
    return [
        (document.text[link.start : link.end], link.target, link.fragment)
        for link in document.links
    ]


def test_pages_redirects_and_namespaces(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_bytes(
        dump(
            page("Ferry", "A [[boat]]. [[Datei:x.png|thumb|leak]] See [[Diskussion:Ferry|talk]]."),
            page("Boat", "#REDIRECT [[ferry#Hull]]", more='<redirect title="Ferry" />'),
            page("Diskussion:Ferry", "talk", 1),
            page("Style", "body {}", model="css"),
            page("Empty", "{{only|a template}}"),
            page("Old", "#redirect [[ferry]]"),
            page(" ", "No title."),
        )
    )
    ferry, *others = read_mediawiki(path)
    assert isinstance(ferry, Document)
    assert ferry.text == "A boat. See talk."
    assert anchors(ferry) == [("boat", "Boat", "")]
    assert others == [
        Redirect("Boat", "Ferry", "Hull"),
        Skipped("Diskussion:Ferry", "it is in namespace 1"),
        Skipped("Style", "it is css, not wikitext"),
        Skipped("Empty", "it has no text"),
        Redirect("Old", "Ferry"),
        Skipped("a page without a title", "nothing could lead to it"),
    ]


def test_other_namespaces_on_request(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_bytes(dump(page("Diskussion:Ferry", "talk", 1)))
    (found,) = read_mediawiki(path, namespaces=frozenset({1}))
    assert isinstance(found, Document)


def test_compressed_dumps_also_of_many_streams(tmp_path: Path) -> None:
    data = dump(page("A", "Text one."), page("B", "Text two."))
    (tmp_path / "plain.xml").write_bytes(data)
    (tmp_path / "packed.xml.gz").write_bytes(gzip.compress(data))
    half = len(data) // 2
    (tmp_path / "multi.xml.bz2").write_bytes(bz2.compress(data[:half]) + bz2.compress(data[half:]))
    expected = list(read_mediawiki(tmp_path / "plain.xml"))
    assert len(expected) == 2
    assert list(read_mediawiki(tmp_path / "packed.xml.gz")) == expected
    assert list(read_mediawiki(tmp_path / "multi.xml.bz2")) == expected


def test_the_last_revision_of_a_history_counts(tmp_path: Path) -> None:
    path = tmp_path / "history.xml"
    more = "<revision><text>old</text></revision>"
    path.write_bytes(dump(page("A", "new", more=more)))
    (found,) = read_mediawiki(path)
    assert isinstance(found, Document)
    assert found.text == "new"


@pytest.mark.parametrize(
    ("wikitext", "text", "links"),
    [
        ("[[old_ferry#The_hull|''it'']]", "it", [("it", "Old ferry", "The hull")]),
        ("two [[ferry]]boats", "two ferryboats", [("ferryboats", "Ferry", "")]),
        ("[[#Hull|below]]", "below", [("below", "Page", "Hull")]),
        ("[[R%C3%ADo &amp; co]]", "Río & co", [("Río & co", "Río & co", "")]),
        ("[[de:Fähre]][[Category:Boats]]x", "x", []),
        ("[[wikt:ferry|ferry]] [[:Category:Boats]]", "ferry Category:Boats", []),
        ("a<ref>leak [[no]]</ref>b<ref name=x />c<!-- leak -->", "abc", []),
        ("{{Box|a={{b|[[no]]}}}}Text {{c}}here", "Text here", []),
        ("{|\n| leak [[no]]\n{|\n| deep\n|}\n|}\nAfter", "After", []),
        ("[[File:a.jpg|thumb|A [[link]] in\na caption]]Text", "Text", []),
        ("[http://x.y the site] at http://z.w/ end", "the site at end", []),
        ("<nowiki>[[not]] ''a''</nowiki> b", "[[not]] ''a'' b", []),
        ("a<br/>b &ndash; '''c'''", "a\nb – c", []),
        ("Voss ({{IPA|x}}) was", "Voss was", []),
        ("{{convert|5|km|mi|abbr=on}} of {{lang|fr|mer}}{{Unknown|x}}", "5 km of mer", []),
        ("one\ntwo\n\nthree", "one two\n\nthree", []),
        ("* a\n* b", "a\n\nb", []),
        ("{{never closed\n\nText", "Text", []),
        ("[[a|[[b|c]]]] d", "a|c d", [("c", "B", "")]),
        ("Star [[Star Trek: Nemesis]]", "Star Star Trek: Nemesis", None),
    ],
)
def test_wikitext(wikitext: str, text: str, links: list[tuple[str, str, str]] | None) -> None:
    document = read(wikitext)
    assert document.text == text
    name = "Star Trek: Nemesis"
    assert anchors(document) == ([(name, name, "")] if links is None else links)


def test_sections_and_first_paragraph() -> None:
    document = read("{{box}}\n\nFirst.\n\n== History ==\nOld.\n=== War ===\nBad.\n== Now ==\nNew.")
    assert document.text[slice(*document.paragraphs[0])] == "First."
    assert [(section.path, document.text[section.start : section.end]) for section in
            document.sections[1:]] == [
        (("Page", "History"), "History\n\nOld.\n\nWar\n\nBad."),
        (("Page", "History", "War"), "War\n\nBad."),
        (("Page", "Now"), "Now\n\nNew."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    ["{{a|", "[[", "{|\n|-\n|", "<ref>", "[http://a.b ", "<div>", "[[a|[[b|", "<!--", "''", "__A"],
)
def test_marks_that_are_never_closed_take_no_time_to_speak_of(piece: str) -> None:
    # mwparserfromhell did not finish several of these within 20 seconds.
    document = read(piece * 50_000 + "\n\nThe end.")
    assert document.text.endswith("The end.") or piece == "<!--"


def test_an_entity_bomb_is_refused(tmp_path: Path) -> None:
    bomb = "<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
        f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(12)
    )
    path = tmp_path / "bomb.xml"
    path.write_text(f"{bomb}]><mediawiki><page><title>&m;</title></page></mediawiki>")
    with pytest.raises(LacunaError, match="declares a document type"):
        list(read_mediawiki(path))


def test_damaged_dumps_give_their_pages_and_then_a_clear_error(tmp_path: Path) -> None:
    whole = dump(page("A", "Text one."), page("B", "Text two."))
    path = tmp_path / "cut.xml"
    path.write_bytes(whole[:-60])
    pages = read_mediawiki(path)
    assert isinstance(next(pages), Document)
    with pytest.raises(LacunaError, match="not a whole MediaWiki dump"):
        list(pages)


def test_a_cut_off_bz2_and_broken_utf8_and_other_xml_are_clear_errors(tmp_path: Path) -> None:
    whole = dump(page("A", "Text one."))
    for name, data, message in (
        ("cut.xml.bz2", bz2.compress(whole)[:-20], "cut off or damaged"),
        ("bytes.xml", whole.replace(b"one", b"\xff\xfe"), "not a whole MediaWiki dump"),
        ("rss.xml", b"<rss><page/></rss>", "begins with <rss>"),
        ("dump.xml.7z", b"7z\xbc\xaf\x27\x1c and more", "Unpack it first"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(LacunaError, match=message):
            list(read_mediawiki(tmp_path / name))


@pytest.mark.skipif("LACUNA_DATA" not in os.environ, reason="LACUNA_DATA names no data folder")
def test_the_sample_of_a_real_dump() -> None:
    data = Path(os.environ["LACUNA_DATA"]) / "wiki" / "enwiki-sample-pages-articles.xml.bz2"
    found = list(read_mediawiki(data))
    assert Counter(type(item) for item in found) == {Document: 106, Redirect: 100}
    for item in found:
        if isinstance(item, Document):
            assert not any(mark in item.text for mark in ("{{", "}}", "[[", "]]", "<ref", "|thumb"))


def test_letters_that_are_two_in_lower_case_lose_no_sentence() -> None:
    noted = "A <ref>İİİİİİİİ</ref> boat. İİİ <Ref>one</REF> It sails."
    document = read(f"{noted} <nowiki>''İ</NoWiki> On.")
    assert document.text == "A boat. İİİ It sails. ''İ On."


def test_a_comment_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The XML parser begins it again with every chunk."""
    monkeypatch.setattr(mediawiki, "LARGEST_TOKEN", 1 << 20)
    path = tmp_path / "comment.xml.bz2"
    whole = dump(page("A", "Text one.")).removesuffix(b"</mediawiki>")
    path.write_bytes(bz2.compress(whole + b"<!--" + b"a" * (4 << 20) + b"--></mediawiki>"))
    pages = read_mediawiki(path)
    assert isinstance(next(pages), Document)
    with pytest.raises(LacunaError, match="a comment of more than 1 MB"):
        list(pages)


def test_a_long_text_is_no_such_comment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mediawiki, "LARGEST_TOKEN", 1 << 18)
    path = tmp_path / "long.xml"
    path.write_bytes(dump(page("A", "A long text. " * 100_000)))
    (found,) = read_mediawiki(path)
    assert isinstance(found, Document)
