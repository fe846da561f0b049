"""Which part of an HTML page is what it says, and what the page calls itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lacuna.corpus.formats.html.furniture import NOT_READ, Furniture, is_sign

MAIN_PARTS = (
    "#mw-content-text",
    "#bodyContent",
    "main",
    "[role=main]",
    # AsciiDoc has the name and the author beside the content.
    "body.article, body.book, body.manpage",
    "#main-content",
    "#content",
)
"""Where offline wikis and common page makers put what the page is about."""
LONGEST_TITLE = 300
HEADINGS_LOOKED_AT = 20
NUMBER = re.compile(r"^(?:chapter |appendix )?[\divxa-z]{0,4}(?:\.\d+)*\.?\s+(?=\S)")


def main_part(tree: LexborHTMLParser) -> LexborNode | None:
    """The part of the page that is not its frame."""
    for selector in MAIN_PARTS:
        if (node := tree.css_first(selector)) is not None:
            return node
    articles = tree.css("article")
    return articles[0] if len(articles) == 1 else tree.body


@dataclass(frozen=True, slots=True)
class Called:
    """What a page calls itself: its main heading, and the title that its window has."""

    heading: LexborNode | None
    name: str
    window: str


def called(tree: LexborHTMLParser, part: LexborNode, furniture: Furniture) -> Called:
    """The main heading of the part, or the title where none is about the whole page."""
    window = tree.css_first("head > title")
    title = _shortened(window.text()) if window is not None else ""
    wiki = tree.css_first("h1.firstHeading")
    headings = [wiki] if wiki is not None else part.css("h1, h2, h3")[:HEADINGS_LOOKED_AT]
    main = [heading for heading in headings if heading.tag == "h1"]
    is_first = True
    for heading in headings:
        name = _shortened(plain_text(heading, furniture))
        begins = not title or title.casefold().startswith(name.casefold())
        if not name or _is_in_frame(heading, furniture, named=begins):
            main = [other for other in main if other is not heading]
            continue
        # The only main heading above all others is the title; one of several may begin a section.
        # Some page makers begin with a smaller one.
        is_only = is_first and heading.tag == "h1" and len(main) == 1
        if is_only or (_is_name(title, name) and (is_first or heading.tag == "h1")):
            return Called(heading, name, title)
        is_first = False
    if not title and main and (name := _shortened(plain_text(main[0], furniture))):
        return Called(main[0], name, "")
    return Called(None, title, title)


def plain_text(node: LexborNode, furniture: Furniture) -> str:
    """The words of a short element without the marks in it."""
    pieces = []
    stack = [node]
    while stack:
        inner = stack.pop()
        tag = inner.tag or ""
        if inner is not node and (following := inner.next) is not None:
            stack.append(following)
        if tag in ("-text", "br"):
            pieces.append((inner.text_content or "") if tag == "-text" else " ")
            continue
        if inner is not node and (
            tag in NOT_READ
            or furniture.holds(tag, inner, inner.attributes)
            or (tag == "a" and is_sign(inner))
        ):
            continue
        if (child := inner.first_child) is not None:
            stack.append(child)
    return "".join(pieces)


def _shortened(text: str) -> str:
    line = " ".join(text.replace("\u00ad", "").split())
    return line if len(line) <= LONGEST_TITLE else f"{line[:LONGEST_TITLE]}…"


def _is_name(title: str, name: str) -> bool:
    """Whether the window's title is this name, with or without more, such as the site's.

    >>> _is_name("Timing (GNU Octave)", "36.1 Timing"), _is_name("SELECT", "1. Overview")
    (True, False)
    """
    bare = NUMBER.sub("", name.casefold())
    return bool(bare) and bare in title.casefold()


def _is_in_frame(heading: LexborNode, furniture: Furniture, *, named: bool) -> bool:
    """Whether a heading is the name of the site, above every page of it."""
    above = heading.parent
    while above is not None and above.tag not in ("main", "article", "body"):
        if above.tag == "header" and not named:
            return True
        if above.tag in NOT_READ or furniture.holds(above.tag or "", above, above.attributes):
            return True
        above = above.parent
    return False
