"""Folders and archives of HTML pages, such as offline wikis."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from lacuna.corpus.formats.entries import entries_of, names_in
from lacuna.corpus.formats.html.links import PageSet, is_page
from lacuna.corpus.formats.html.page import HtmlPage, ResolveHref, heading_of, main_part
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.source_item import Redirect, Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document

DEEPEST = 1000
"""Elements inside each other; real pages have dozens, and the parser's time grows with it."""

NESTING = re.compile(
    # What is left out closes itself, or is closed by the next of its kind.
    rb"<(/?)(?!(?:p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|a|br|hr|img|input|meta|link|area|"
    rb"base|col|embed|source|track|wbr|param|image|html|head|body)\b)[A-Za-z]",
    re.IGNORECASE,
)
CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
WORDS_OF_PROSE = 8


def read_html(path: Path, *, only: str = "") -> Iterator[SourceItem]:
    """The pages of a folder or archive; ``only`` is a CSS selector that a page must match.

    A page's title comes from its file name, since that is what links name; what the page calls
    itself leads there as a redirect.
    """
    _check_selector(only)
    pages = PageSet(names_in(path, is_page))
    if not pages:
        raise LacunaError(
            f"{path} holds no HTML pages (.html, .htm). Give the folder or archive that has them."
        )
    called: dict[str, str] = {}  # what pages call themselves; empty where several do alike
    for entry in entries_of(path, is_page):
        if isinstance(entry, Skipped):
            yield entry
            continue
        page, heading = _page(entry.name, entry.data, pages, only)
        yield page
        if isinstance(page, Document) and not pages.is_title(heading):
            called[heading] = "" if heading in called else page.title
    yield from (Redirect(heading, title) for heading, title in called.items() if heading and title)


def _check_selector(only: str) -> None:
    try:
        LexborHTMLParser("").css_first(only or "p")
    except Exception as error:  # the parser has no error type of its own
        raise LacunaError(f"{only!r} is no CSS selector. Write one like 'div.article'.") from error


def html_document(title: str, text: str, resolve: ResolveHref) -> Document | None:
    """A text with HTML markup as a document; None if its elements are nested too deeply."""
    if _too_deep(text.encode("utf-8", "replace")):
        return None
    builder = PageBuilder(title)
    if (body := LexborHTMLParser(text).body) is not None:
        HtmlPage(builder, resolve).read(body)
    return builder.document()


def _page(name: str, data: bytes, pages: PageSet, only: str) -> tuple[Document | Skipped, str]:
    if b"\x00" in data[:4096]:
        return Skipped(name, "it is not an HTML page but binary data"), ""
    if _too_deep(data):
        return Skipped(name, f"its elements are nested more than {DEEPEST:,} deep"), ""
    text, note = _decode(data)
    tree = LexborHTMLParser(text)
    if only and tree.css_first(only) is None:
        return Skipped(name, f"nothing in it matches {only}"), ""
    part = main_part(tree)
    builder = PageBuilder(pages.title(name))
    if part is not None:
        HtmlPage(builder, partial(pages.resolve, name)).read(part)
    page = builder.document({"note": note} if note else None)
    if not page.text:
        return Skipped(name, "it has no text"), ""
    if _is_link_list(page):
        return Skipped(name, "it is a list of links without a text of its own"), ""
    return page, heading_of(tree)


def _is_link_list(page: Document) -> bool:
    """Whether a page is an index: more than half of it is links, and no sentence has words."""
    if 2 * sum(link.end - link.start for link in page.links) <= len(page.text):
        return False
    at, unlinked = 0, []
    for link in page.links:
        unlinked.append(page.text[at : link.start])
        unlinked.append("\0" * (link.end - link.start))
        at = link.end
    bare = "".join(unlinked) + page.text[at:]
    return all(
        len(bare[start:end].replace("\0", " ").split()) < WORDS_OF_PROSE
        for start, end in page.sentences
    )


def _too_deep(data: bytes) -> bool:
    depth = 0
    for tag in NESTING.finditer(data):
        depth += -1 if tag[1] else 1
        if depth > DEEPEST:
            return True
    return False


def _decode(data: bytes) -> tuple[str, str]:
    """The text, and a note if some of it could not be decoded."""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8"
    declared = CHARSET.search(data[:2048])
    charset = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    # Browsers read these two as Windows-1252, and pages are written for browsers.
    charset = "cp1252" if charset in ("iso-8859-1", "latin1") else charset
    try:
        return data.decode(charset), ""
    except (LookupError, UnicodeDecodeError):
        return data.decode("utf-8", "replace"), f"{problem}; such bytes were replaced"
