"""Which part of an HTML page is what it says, and what the page calls itself."""

from __future__ import annotations

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


def called(tree: LexborHTMLParser, part: LexborNode | None, furniture: Furniture) -> Called:
    """The main heading of the part, or the title where it has none."""
    window = tree.css_first("head > title")
    title = _shortened(window.text()) if window is not None else ""
    wiki = tree.css_first("h1.firstHeading")
    headings = [wiki] if wiki is not None else part.css("h1")[:3] if part is not None else []
    for heading in headings:
        name = _shortened(plain_text(heading, furniture))
        if name and not _is_in_frame(heading, furniture):
            return Called(heading, name, title)
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
        if tag == "-text":
            pieces.append(inner.text_content or "")
        elif tag == "br":
            pieces.append(" ")
        elif inner is node or not (
            tag in NOT_READ
            or furniture.holds(tag, inner, inner.attributes)
            or (tag == "a" and is_sign(inner))
        ):
            if (child := inner.first_child) is not None:
                stack.append(child)
    return "".join(pieces)


def _shortened(text: str) -> str:
    line = " ".join(text.replace("\u00ad", "").split())
    return line if len(line) <= LONGEST_TITLE else f"{line[:LONGEST_TITLE]}…"


def _is_in_frame(heading: LexborNode, furniture: Furniture) -> bool:
    above = heading.parent
    while above is not None and above.tag not in ("main", "article", "body"):
        if above.tag in NOT_READ or furniture.holds(above.tag or "", above, above.attributes):
            return True
        above = above.parent
    return False
