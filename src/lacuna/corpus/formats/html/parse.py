"""HTML pages: each file what a person reads of it, with its links, headings and anchors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.html.decoded import as_html, decoded
from lacuna.corpus.formats.html.furniture import Furniture
from lacuna.corpus.formats.html.main_part import called, main_part
from lacuna.corpus.formats.html.nesting import tamed
from lacuna.corpus.formats.html.walk import HtmlWalk
from lacuna.corpus.pages.page import Page
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.titles import title_of_path
from lacuna.types import Document, Link

ResolveHref = Callable[[str], tuple[str, str] | None]
"""From an href to a title and a fragment; None where it leads to no document."""

WORDS_OF_PROSE = 8
WORDS_OF_A_FRAME = 100
"""Words outside of links that a page's frame may have; with more, some of it may be its text."""
REFRESH = re.compile(r"\s*(\d+)\s*[;,]\s*url\s*=\s*(.+)", re.IGNORECASE | re.DOTALL)
LONGEST_REDIRECT = 400
NO_TEXT_INSIDE = ["script", "style", "noscript", "template", "svg"]
NO_TEXT = "it has no text"


def parse_html(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that an HTML file is."""
    if b"\x00" in entry.data[:4096] and not entry.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield Skipped(entry.name, "it is not an HTML page but binary data")
        return
    text, note = decoded(entry.data)
    tree = parsed(text)
    if target := _leads_to(tree):
        yield Page(entry.name, Document(title_of_path(entry.name), ""), leads_to=target)
        return
    builder, names = read_page(tree, title_of_path(entry.name))
    page = builder.page(entry.name, names=names, extra={"note": note} if note else None)
    if not page.document.text:
        yield Skipped(entry.name, NO_TEXT)
    elif is_link_list(page):
        yield Skipped(entry.name, "it is a list of links without a text of its own")
    else:
        yield page


def parsed(text: str) -> LexborHTMLParser:
    """The elements of a page; none of its bytes can make this slow."""
    return LexborHTMLParser(tamed(as_html(text)))


def html_document(title: str, text: str, resolve: ResolveHref) -> Document:
    """A text with HTML markup as a document whose links lead to titles."""
    builder = PageBuilder(title)
    if (body := parsed(text).body) is not None:
        HtmlWalk(builder, Furniture(len(text))).read(body)
    page = builder.page("")
    links = (
        Link(link.start, link.end, *target)
        for link in page.links
        if (target := resolve(link.target)) is not None
    )
    return replace(page.document, links=tuple(links), origin=None)


def read_page(
    tree: LexborHTMLParser, file_title: str, other_title: str = ""
) -> tuple[PageBuilder, tuple[str, ...]]:
    """What a page says, and the names it has beside its title.

    A page without a main heading is called ``other_title``, if there is one. Its frame is left
    out, unless too little would remain: then what seemed to be the frame is not.
    """
    part, body = main_part(tree), tree.body
    if part is None or body is None:
        return PageBuilder(file_title), ()
    tree.strip_tags(NO_TEXT_INSIDE)
    furniture = Furniture(4 * len(body.text()))
    attempts = [(part, furniture), (body, furniture), (body, None)]
    for root, leaves_out in attempts[part.mem_id == body.mem_id :]:
        title = called(tree, root, furniture)
        name = title.name if title.heading is not None else other_title or title.name
        builder = PageBuilder(name or file_title)
        walk = HtmlWalk(builder, leaves_out, title.heading)
        walk.read(root)
        if not _is_too_little(walk, body):
            break
    names = (title.window,) if title.window and title.window != builder.title else ()
    return builder, names


def _is_too_little(walk: HtmlWalk, body: LexborNode) -> bool:
    """Whether less than a third of the body's words were read, not counting those of links."""
    whole = len(body.text(separator=" ").split())
    if 3 * walk.words >= whole:
        return False
    links = sum(len(link.text().split()) for link in body.css("a, button"))
    return 3 * (walk.words - walk.linked_words) < whole - links - WORDS_OF_A_FRAME


def is_link_list(page: Page) -> bool:
    """Whether a page is an index: more than half of it is links, and no sentence has words."""
    text = page.document.text
    links = [link for link in page.links if not link.target.startswith("#")]
    if 2 * sum(link.end - link.start for link in links) <= len(text):
        return False
    at, unlinked = 0, []
    for link in links:
        unlinked.append(text[at : link.start])
        unlinked.append("\0" * (link.end - link.start))
        at = link.end
    bare = "".join(unlinked) + text[at:]
    return all(
        len(bare[start:end].replace("\0", " ").split()) < WORDS_OF_PROSE
        for start, end in page.document.sentences
    )


def _leads_to(tree: LexborHTMLParser) -> str:
    """Where a page sends its reader at once, if that is all that it does."""
    for meta in tree.css("meta[http-equiv]")[:20]:
        attributes = meta.attributes
        if (attributes.get("http-equiv") or "").lower() != "refresh":
            continue
        found = REFRESH.match(attributes.get("content") or "")
        body = tree.body
        if found and (body is None or len(body.text()) <= LONGEST_REDIRECT):
            return found[2].strip().strip("'\"")[:LONGEST_REDIRECT]
    return ""
