"""What must hold of every document, whatever it was read from."""

from __future__ import annotations

import string
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.formats.html import html_document
from lacuna.corpus.formats.plain import verbatim_document
from lacuna.corpus.formats.wikitext import WikitextParser
from lacuna.types import Document

LETTERS = string.ascii_letters + "éßŁ漢"
WORD = st.text(LETTERS, min_size=1, max_size=8)
PHRASE = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
SENTENCE = st.tuples(PHRASE, st.sampled_from([".", "!", "?", ", Dr."])).map("".join)
LINK = st.tuples(st.just("link"), PHRASE, WORD)
RUN = st.tuples(st.just("text"), SENTENCE, st.just(""))
BLOCK = st.one_of(
    st.tuples(st.just(0), st.lists(LINK | RUN, min_size=1, max_size=5)),
    st.tuples(st.integers(2, 4), st.lists(RUN, min_size=1, max_size=1)),
)
PAGE = st.lists(BLOCK, max_size=8)
Page = list[tuple[int, list[tuple[str, str, str]]]]
ANY_TEXT = st.text(max_size=300)
MARKS = st.text(alphabet="[]{}|<>/=*#'`!()-_&;:. \nabA\"", max_size=200)


def check_offsets(document: Document) -> None:
    """Spans are in order and tight, sentences lie in paragraphs, sections nest."""
    text = document.text
    for spans in (document.paragraphs, document.sentences):
        for start, end in spans:
            assert text[start:end].strip() != ""
        assert all(one.end <= two.start for one, two in pairwise(spans))
    for sentence in document.sentences:
        assert text[sentence.start : sentence.end] == text[slice(*sentence)].strip()
        assert any(p.start <= sentence.start and sentence.end <= p.end for p in document.paragraphs)
    for link in document.links:
        assert link.start < link.end
        assert link.target
    whole, *inner = document.sections
    assert (whole.path, whole.start, whole.end) == ((document.title,), 0, len(text))
    for section in inner:
        parents = [s for s in document.sections if s.path == section.path[:-1]]
        assert any(p.start <= section.start and section.end <= p.end for p in parents)


def check_page(document: Document, page: Page) -> None:
    """Nothing of the page is lost: its links with their anchors, its headings, its words."""
    check_offsets(document)
    runs = [run for _, block in page for run in block]
    expected = [(anchor, target) for kind, anchor, target in runs if kind == "link"]
    found = [(document.text[link.start : link.end], link.target) for link in document.links]
    assert found == expected
    headings = [block[0][1] for level, block in page if level]
    assert [section.path[-1] for section in document.sections[1:]] == headings
    assert document.text.split() == [word for _, shown, _ in runs for word in shown.split()]


@given(PAGE)
def test_html_keeps_anchors_headings_and_words(page: Page) -> None:
    def shown(kind: str, text: str, target: str) -> str:
        return f'<a href="{target}">{text}</a> ' if kind == "link" else f"<i>{text}</i> "

    html = "".join(
        f"<h{level}>{inner}</h{level}>" if level else f"<p>{inner}"
        for level, inner in (
            (level, "".join(shown(*run) for run in block)) for level, block in page
        )
    )
    document = html_document("0", html, lambda href: (href, ""))
    assert document is not None
    check_page(document, page)


@given(PAGE)
def test_wikitext_keeps_anchors_headings_and_words(page: Page) -> None:
    def shown(kind: str, text: str, target: str) -> str:
        return f"[[X{target}|''{text}'']]{{{{t|[[no]]}}}} " if kind == "link" else f"{text} "

    wikitext = "\n\n".join(
        f"{'=' * level} {inner} {'=' * level}" if level else inner
        for level, inner in (
            (level, "".join(shown(*run) for run in block)) for level, block in page
        )
    )
    named = [
        (level, [(kind, text, f"X{target}" if target else "") for kind, text, target in block])
        for level, block in page
    ]
    check_page(WikitextParser().document("0", wikitext), named)


@settings(deadline=None)
@given(PAGE)
def test_markdown_keeps_anchors_headings_and_words(page: Page) -> None:
    def shown(kind: str, text: str, target: str) -> str:
        return f"[*{text}*]({target}.md) " if kind == "link" else f"{text} "

    markdown = "\n\n".join(
        "#" * level + " " + "".join(shown(*run) for run in block).strip() for level, block in page
    )
    with TemporaryDirectory() as folder:
        note = Path(folder, "0.md")
        # A title of its own, so that no heading becomes it.
        note.write_text(f"---\ntitle: '0'\n---\n{markdown}", encoding="utf-8")
        documents = list(open_source(Path(folder), "markdown"))
    if page:
        assert isinstance(documents[0], Document)
        check_page(documents[0], page)


@given(MARKS | ANY_TEXT)
def test_any_wikitext_gives_offsets_that_hold(wikitext: str) -> None:
    check_offsets(WikitextParser().document("Page", wikitext))


@given(MARKS | ANY_TEXT)
def test_any_html_gives_offsets_that_hold(html: str) -> None:
    document = html_document("Page", html, lambda href: (href, "") if href.strip() else None)
    assert document is not None
    check_offsets(document)


@settings(deadline=None)
@given(MARKS | ANY_TEXT.filter(lambda text: "\0" not in text))
def test_any_markdown_gives_offsets_that_hold(markdown: str) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "note.md").write_text(markdown, encoding="utf-8", newline="")
        for found in open_source(Path(folder), "markdown"):
            if isinstance(found, Document):
                check_offsets(found)


@given(ANY_TEXT)
def test_plain_text_is_kept_to_the_last_character(text: str) -> None:
    document = verbatim_document("Page", text)
    assert document.text == text
    check_offsets(document)
    covered = "".join(text[start:end] for start, end in document.paragraphs)
    assert "".join(covered.split()) == "".join(text.split())
