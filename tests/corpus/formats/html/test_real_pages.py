"""Real pages of Sphinx, AsciiDoc, DocBook and an offline wiki: nothing asked for is lost."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

import pytest

from lacuna.corpus.formats.base import HTML_SUFFIXES
from lacuna.corpus.formats.entries import Entry, files_of
from lacuna.corpus.formats.html import parse_html
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped
from lacuna.corpus.titles import title_of_path

REAL = os.environ.get("LACUNA_REAL", "")
needs_real = pytest.mark.skipif(not REAL, reason="LACUNA_REAL names no folder")
WORD = re.compile(r"\w+")
COLLECTIONS = ("git-doc", "debian-policy", "postgresql-15")


def html_files(archive: Path) -> Iterator[Entry]:
    for file in files_of(archive, lambda name: name.lower().endswith(HTML_SUFFIXES)):
        entry = None if isinstance(file, Skipped) else file.load()
        if isinstance(entry, Entry):
            yield entry


def evidence(collection: str) -> dict[str, set[str]]:
    """The sentences that answer a question, by file."""
    asked = json.loads(Path(REAL, "questions.json").read_text("utf-8"))
    for dialog in json.loads(Path(REAL, "dialogs.json").read_text("utf-8")):
        asked += [{**turn, "corpus": dialog["corpus"]} for turn in dialog["turns"]]
    found: dict[str, set[str]] = {}
    for question in asked:
        if question["corpus"] == collection:
            for place in question["evidence"]:
                found.setdefault(place["file"], set()).add(place["sentence"])
    return found


def stands_in(sentence: str, text: str) -> bool:
    """Whether its words stand there side by side, or in order in one row of a table."""
    wanted = WORD.findall(sentence)
    if f" {' '.join(wanted)} " in f" {' '.join(WORD.findall(text))} ":
        return True
    for line in text.splitlines():
        words = iter(WORD.findall(line))
        if all(word in words for word in wanted):
            return True
    return False


@needs_real
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_evidence_sentence_stands_in_its_page(collection: str) -> None:
    missing = evidence(collection)
    for entry in html_files(Path(REAL, f"{collection}.tar.xz")):
        sentences = missing.pop(entry.name.partition("/")[2], set())
        if sentences:
            (page,) = parse_html(entry)
            assert isinstance(page, Page)
            text = f"{page.document.title}\n{page.document.text}"
            assert [sentence for sentence in sentences if not stands_in(sentence, text)] == []
    assert missing == {}


@needs_real
def test_pages_of_sphinx_keep_the_words_of_their_links() -> None:
    pages = [page for entry in html_files(Path(REAL, "debian-policy.tar.xz"))
             for page in parse_html(entry) if isinstance(page, Page)]  # fmt: skip
    (scope,) = (page for page in pages if page.file.endswith("policy.html/ch-scope.html"))
    assert "as described in Debian Policy changes process." in scope.document.text
    assert "¶" not in "".join(page.document.text for page in pages)


@needs_real
def test_mutated_pages_are_read_or_skipped() -> None:
    """Bytes are changed, cut out and doubled; every offset still fits."""
    dice = random.Random(5)
    files = [entry for name in COLLECTIONS for entry in html_files(Path(REAL, f"{name}.tar.xz"))]
    for entry in dice.sample(files, 60):
        data = bytearray(entry.data[:60_000])
        for _ in range(dice.randint(1, 30)):
            at, size = dice.randrange(len(data)), dice.randint(1, 40)
            data[at : at + size] = dice.choice(
                (b"", data[at : at + size] * 2, b"<", b">", b'"', b"</div>", dice.randbytes(3))
            )
        for page in parse_html(Entry(entry.name, bytes(data))):
            if isinstance(page, Page):
                check(page)


def check(page: Page) -> None:
    """Links and anchors ascend and stay within the text."""
    size = len(page.document.text)
    assert all(0 <= link.start < link.end <= size and link.target for link in page.links)
    assert all(one.end <= two.start for one, two in pairwise(page.links))
    assert page.document.origin is not None
    places = [at for at, _ in page.document.origin.anchors]
    assert places == sorted(places)
    assert all(0 <= at < size for at in places)
    assert all(0 <= start < end <= size for start, end in page.document.paragraphs)


@pytest.mark.skipif("LACUNA_DATA" not in os.environ, reason="LACUNA_DATA names no data folder")
def test_pages_of_schools_wikipedia_have_every_link_of_the_official_graph() -> None:
    """Every third page, which all kinds of pages are among."""
    data = Path(os.environ["LACUNA_DATA"]) / "wiki"
    with gzip.open(data / "schools_links.tsv.gz", "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    official = {
        tuple(" ".join(unquote(cell).replace("_", " ").split()) for cell in line.split("\t"))
        for line in lines
        if line and not line.startswith("#")
    }
    assert len(official) == 119_882
    links: set[tuple[str, ...]] = set()
    titles = set()
    for entry in islice(html_files(data / "schools_wikipedia_2007_html.tar.xz"), 0, None, 3):
        title = title_of_path(entry.name)
        titles.add(title)
        for page in parse_html(entry):
            if isinstance(page, Page):
                paths = (link.target.partition("#")[0] for link in page.links)
                links.update(
                    (title, title_of_path(normpath(join(dirname(entry.name), unquote(path)))))
                    for path in paths
                )
    theirs = {link for link in official if link[0] in titles}
    assert len(theirs) > 30_000
    assert theirs <= links


@needs_real
def test_a_drawing_costs_a_real_page_nothing() -> None:
    """Parts of a drawing close themselves: they are not elements inside each other."""
    drawing = (
        b'<svg viewBox="0 0 9 9">' + b'<path d="M0 0h9"/><g><use href="#a"/></g>' * 2000 + b"</svg>"
    )
    read = 0
    for entry in html_files(Path(REAL, "debian-policy.tar.xz")):
        begun = entry.data.find(b"<h1")
        if begun < 0:
            continue
        drawn = Entry(entry.name, entry.data[:begun] + drawing + entry.data[begun:])
        (plain,), (with_drawing,) = parse_html(entry), parse_html(drawn)
        if isinstance(plain, Page):
            assert isinstance(with_drawing, Page)
            assert with_drawing.document.text == plain.document.text
            read += 1
    assert read > 30
