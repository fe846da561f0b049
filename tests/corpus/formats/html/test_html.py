"""HTML folders and archives: text, links, headings, and pages that cannot be read."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from lacuna.corpus.formats.entries import LARGEST_FILE
from lacuna.corpus.formats.html import read_html
from lacuna.corpus.source_item import Redirect, Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document

PAGE = """<!DOCTYPE html><html><head><title>Old ferry</title><style>p {}</style></head>
<body><nav><a href="river.html">menu</a></nav><div id="content"><h1>Old ferry</h1>
<table class="infobox"><tr><th>Built</th><td>1931 in <a href="Port.html">Port</a></td></tr></table>
<p>The ferry crosses the <a href="../wp/River%20Maas.html#Width_of_it">wide
river</a>. It is <b>old</b>.<sup class="reference"><a href="#n1">[1]</a></sup>
<p>See <a href="https://example.org/">a site</a>, <a href="gone.html">a lost page</a>
and <a href="boat.jpg">a picture</a>.
<h2>History</h2><p>It was built.<h3>Crew</h3><ul><li>One<li>Two</ul>
<script>var leak = 1;</script></div><footer>Made by hand <a href="river.html">x</a></footer>"""


def written(folder: Path, **pages: str) -> Path:
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return folder


def documents(found: list[SourceItem]) -> dict[str, Document]:
    return {item.title: item for item in found if isinstance(item, Document)}


def anchors(document: Document) -> list[tuple[str, str, str]]:
    return [
        (document.text[link.start : link.end], link.target, link.fragment)
        for link in document.links
    ]


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    pages = tmp_path / "wp"
    pages.mkdir()
    (pages / "Old_ferry.html").write_text(PAGE, encoding="utf-8")
    (pages / "River Maas.html").write_text("<p>The Maas is a long river.", encoding="utf-8")
    return tmp_path


def test_text_is_what_a_person_reads(wiki: Path) -> None:
    page = documents(list(read_html(wiki)))["Old ferry"]
    assert page.text == (
        "The ferry crosses the wide river. It is old.\n\n"
        "See a site, a lost page and a picture.\n\n"
        "Built | 1931 in Port\n\n"
        "History\n\nIt was built.\n\nCrew\n\nOne\n\nTwo"
    )
    assert page.sentence(1) == "It is old."


def test_the_first_paragraph_comes_before_the_boxes_above_it(wiki: Path) -> None:
    page = documents(list(read_html(wiki)))["Old ferry"]
    assert page.text[slice(*page.paragraphs[0])].startswith("The ferry crosses")


def test_links_lead_to_titles_and_dangle_where_the_page_is_missing(wiki: Path) -> None:
    page = documents(list(read_html(wiki)))["Old ferry"]
    assert anchors(page) == [
        ("wide river", "River Maas", "Width of it"),
        ("a lost page", "gone", ""),
        ("Port", "Port", ""),
    ]


def test_headings_become_nested_sections(wiki: Path) -> None:
    page = documents(list(read_html(wiki)))["Old ferry"]
    sections = {section.path: page.text[section.start : section.end] for section in page.sections}
    assert sections["Old ferry", "History", "Crew"] == "Crew\n\nOne\n\nTwo"
    assert sections["Old ferry", "History"].endswith("Two")


def test_file_names_quoted_on_disk_are_found(tmp_path: Path) -> None:
    written(tmp_path, **{"%C3%89ire": "<p>Green.", "a": '<p>To <a href="%25C3%2589ire.html">E</a>'})
    pages = documents(list(read_html(tmp_path)))
    assert anchors(pages["a"]) == [("E", "Éire", "")]
    assert "Éire" in pages


def test_pages_of_one_name_are_told_apart_by_their_path(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, same=f'<p>In {folder}, see <a href="../y/same.html">it</a>')
    pages = documents(list(read_html(tmp_path)))
    assert anchors(pages["x/same"]) == [("it", "y/same", "")]


def test_what_a_page_calls_itself_leads_to_it_unless_others_do_too(tmp_path: Path) -> None:
    written(tmp_path, p1="<h1>Ferries</h1><p>a", p2="<h1>Home</h1><p>b", p3="<h1>Home</h1><p>c")
    redirects = [item for item in read_html(tmp_path) if isinstance(item, Redirect)]
    assert redirects == [Redirect("Ferries", "p1")]


def test_indexes_are_skipped_but_lists_with_a_sentence_are_not(tmp_path: Path) -> None:
    links = "".join(f'<li><a href="p{n}.html">A page with the number {n}</a>' for n in range(30))
    prose = "<p>This is a list of all the pages that there are in the set."
    written(tmp_path, index=f"<ul>{links}</ul>", kept=f"{prose}<ul>{links}</ul>")
    found = list(read_html(tmp_path))
    assert list(documents(found)) == ["kept"]
    assert Skipped("index.html", "it is a list of links without a text of its own") in found


def test_only_keeps_pages_that_match(wiki: Path) -> None:
    found = list(read_html(wiki, only="table.infobox"))
    assert list(documents(found)) == ["Old ferry"]
    assert Skipped("wp/River Maas.html", "nothing in it matches table.infobox") in found


def test_a_selector_that_is_none_is_an_error(wiki: Path) -> None:
    with pytest.raises(LacunaError, match="is no CSS selector"):
        list(read_html(wiki, only="div["))


def test_hostile_archive_entries_are_skipped_and_nothing_is_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "in" / "pages.tar.gz"
    archive.parent.mkdir()
    with tarfile.open(archive, "w:gz") as tar:
        for name in ("../out.html", "/tmp/abs.html", "a/../../out.html", "good.html"):
            info = tarfile.TarInfo(name)
            info.size = 12
            tar.addfile(info, io.BytesIO(b"<p>Some text"))
        link = tarfile.TarInfo("link.html")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    before = sorted(tmp_path.rglob("*"))
    found = list(read_html(archive))
    assert list(documents(found)) == ["good"]
    assert [item.where for item in found if isinstance(item, Skipped)] == [
        "../out.html",
        "/tmp/abs.html",
        "a/../../out.html",
        "link.html",
    ]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_tar_archives_give_what_the_folder_gives(wiki: Path, tmp_path: Path, suffix: str) -> None:
    archive = tmp_path / f"wiki.{suffix}"
    mode: Any = f"w:{suffix.removeprefix('tar').lstrip('.')}"
    with tarfile.open(archive, mode) as tar:
        tar.add(wiki / "wp", "wp")
    assert documents(list(read_html(archive))) == documents(list(read_html(wiki)))


def test_zip_archives_too_with_unsafe_names_skipped(wiki: Path, tmp_path: Path) -> None:
    archive = tmp_path / "wiki.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for page in sorted((wiki / "wp").iterdir()):
            packed.write(page, f"wp/{page.name}")
        packed.writestr("../evil.html", "<p>x")
    found = list(read_html(archive))
    assert documents(found) == documents(list(read_html(wiki)))
    assert Skipped("../evil.html", "its name leads out of the archive") in found


def test_a_cut_off_archive_is_a_clear_error(wiki: Path, tmp_path: Path) -> None:
    archive = tmp_path / "wiki.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(wiki / "wp", "wp")
    archive.write_bytes(archive.read_bytes()[:-200])
    with pytest.raises(LacunaError, match="cut off or damaged"):
        list(read_html(archive))


def test_loops_of_links_broken_links_and_hidden_folders(wiki: Path) -> None:
    (wiki / "wp" / "loop").symlink_to(wiki)
    (wiki / "wp" / "dead.html").symlink_to(wiki / "nothing.html")
    (wiki / ".git").mkdir()
    (wiki / ".git" / "hidden.html").write_text("<p>hidden")
    found = list(read_html(wiki))
    assert set(documents(found)) == {"Old ferry", "River Maas"}
    assert Skipped("wp/loop", "a link to a folder that is read already") in found
    assert "wp/dead.html" in [item.where for item in found if isinstance(item, Skipped)]


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "latin.html").write_bytes(b'<meta charset="ISO-8859-1"><p>caf\xe9')
    (tmp_path / "broken.html").write_bytes(b"<p>caf\xe9 here")
    (tmp_path / "binary.html").write_bytes(b"\x7fELF\0\0\0")
    found = list(read_html(tmp_path))
    pages = documents(found)
    assert pages["latin"].text == "café"
    assert pages["broken"].text == "caf\ufffd here"
    assert "byte 6 is not UTF-8" in pages["broken"].extra["note"]
    assert Skipped("binary.html", "it is not an HTML page but binary data") in found


def test_pages_that_would_fill_the_memory_or_take_for_ever_are_skipped(tmp_path: Path) -> None:
    written(tmp_path, deep="<div>" * 100_000 + "x", fine="<p>Text")
    with (tmp_path / "large.html").open("wb") as file:
        os.truncate(file.fileno(), LARGEST_FILE + 1)
    found = list(read_html(tmp_path))
    assert list(documents(found)) == ["fine"]
    reasons = {item.where: item.reason for item in found if isinstance(item, Skipped)}
    assert "nested more than 1,000 deep" in reasons["deep.html"]
    assert "larger than 32 MB" in reasons["large.html"]


def test_a_page_with_a_hundred_thousand_links(tmp_path: Path) -> None:
    links = "and words between " * 2 + '<a href="x.html">link</a> '
    written(tmp_path, many=f"<p>{links * 100_000}")
    assert len(documents(list(read_html(tmp_path)))["many"].links) == 100_000


def test_labels_on_a_picture_are_links(tmp_path: Path) -> None:
    written(tmp_path, m='<p>A map.<map><area href="x.html" title="The X"><area href="#"></map>')
    assert anchors(documents(list(read_html(tmp_path)))["m"]) == [("The X", "x", "")]


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="holds no HTML pages"):
        list(read_html(tmp_path))


@pytest.mark.skipif("LACUNA_DATA" not in os.environ, reason="LACUNA_DATA names no data folder")
def test_schools_wikipedia_gives_the_official_link_graph() -> None:
    data = Path(os.environ["LACUNA_DATA"]) / "wiki"

    def rows(name: str) -> set[tuple[str, ...]]:
        with gzip.open(data / name, "rt", encoding="utf-8") as file:
            lines = [line.strip() for line in file]
        return {
            tuple(" ".join(unquote(cell).replace("_", " ").split()) for cell in line.split("\t"))
            for line in lines
            if line and not line.startswith("#")
        }

    articles = {title for (title,) in rows("schools_articles.tsv.gz")}
    official = rows("schools_links.tsv.gz")
    titles: set[str] = set()
    links: set[tuple[str, ...]] = set()
    for item in read_html(data / "schools_wikipedia_2007_html.tar.xz"):
        if isinstance(item, Document):
            titles.add(item.title)
            links.update((item.title, link.target) for link in item.links)
    within = {link for link in links if articles.issuperset(link)}
    assert len(articles) == 4604
    assert articles <= titles
    assert len(official) == 119_882
    assert official <= within
    assert len(within - official) <= 101
