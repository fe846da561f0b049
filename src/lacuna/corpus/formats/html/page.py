"""One HTML page as a document: what a person reads of it, with its links and headings."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lacuna.corpus.pages.page_builder import PageBuilder

ResolveHref = Callable[[str], tuple[str, str] | None]
"""From an href to a target and a fragment; None where it leads to no page of the kind."""


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BLOCKS = _names(
    "p div ul ol li dl dt dd table caption thead tbody tfoot tr blockquote section article main "
    "header hr figure figcaption center address form fieldset details summary pre map"
)
NOT_READ = _names(
    "script style noscript template nav footer head title iframe object embed svg math button "
    "select textarea input audio video canvas img -comment"
)
FURNITURE_IDS = _names(
    "siteSub contentSub jump-to-nav footer catlinks toc mw-navigation mw-head mw-panel "
    "mw-footer mw-hidden-catlinks"
)
FURNITURE_CLASSES = _names(
    "mw-editsection editsection printfooter toc catlinks noprint reference mw-jump-link "
    "mw-indicators mw-empty-elt sidebar-navigation breadcrumb breadcrumbs"
)
ASIDE_TAGS = frozenset(("table", "figure", "aside", "map"))
ASIDE_CLASSES = _names("thumb infobox dablink hatnote rellink metadata ambox")
MAIN_PARTS = ("#mw-content-text", "#bodyContent", "main", "[role=main]", "#content")
"""Where offline wikis and common page makers put what the page is about."""


def main_part(tree: LexborHTMLParser) -> LexborNode | None:
    """The part of the page that is not its frame."""
    for selector in MAIN_PARTS:
        if (node := tree.css_first(selector)) is not None:
            return node
    articles = tree.css("article")
    return articles[0] if len(articles) == 1 else tree.body


def heading_of(tree: LexborHTMLParser) -> str:
    """What the page calls itself: its only or first main heading, else its title."""
    for selector in ("h1.firstHeading", "main h1", "article h1", "h1", "title"):
        node = tree.css_first(selector)
        if node is not None and (text := " ".join(node.text().split())):
            return text
    return ""


class HtmlPage:
    """Walks a part of a page into a builder, without recursion: pages may be nested deeply."""

    def __init__(self, builder: PageBuilder, resolve: ResolveHref) -> None:
        self._builder = builder
        self._resolve = resolve
        self._verbatim = 0
        self._asides: list[LexborNode] = []

    def read(self, part: LexborNode) -> None:
        """Read the whole part."""
        self._walk(part)
        self._read_asides()
        self._builder.end_block()

    def _walk(self, root: LexborNode, *, asides: bool = True) -> None:
        # A text on the stack is the tag of an element to leave.
        stack: list[LexborNode | str] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                self._leave(node)
                continue
            tag = node.tag or ""
            if node is not root and (following := node.next) is not None:
                stack.append(following)
            if tag == "-text":
                self._text(node.text_content or "")
                continue
            if tag in NOT_READ or (node is not root and self._is_furniture(node)):
                continue
            if asides and node is not root and self._is_aside(tag, node):
                self._asides.append(node)
                continue
            if self._enter(tag, node):
                stack.append(tag)
            if (child := node.first_child) is not None:
                stack.append(child)

    def _text(self, text: str) -> None:
        if self._verbatim:
            self._builder.add_verbatim(text)
        else:
            self._builder.add(text)

    def _enter(self, tag: str, node: LexborNode) -> bool:
        """Begin an element; true if its end matters too."""
        builder = self._builder
        if tag == "a":
            href = node.attributes.get("href")
            if href and (target := self._resolve(href)):
                builder.open_link(*target)
                return True
            return False
        if tag in HEADINGS:
            self._read_asides()
            builder.open_heading(HEADINGS[tag])
            return True
        if tag in BLOCKS:
            builder.end_block()
            self._verbatim += tag == "pre"
            return True
        if tag == "br":
            builder.break_line()
        elif tag in ("td", "th"):
            builder.begin_cell()
        elif tag == "area":
            self._area(node.attributes)
        return False

    def _area(self, attributes: dict[str, str | None]) -> None:
        """A link on a picture; the label that a reader sees there is its anchor."""
        target = self._resolve(attributes.get("href") or "")
        if target:
            self._builder.begin_cell()
            self._builder.open_link(*target)
            self._builder.add(attributes.get("title") or attributes.get("alt") or target[0])
            self._builder.close_link()

    def _leave(self, tag: str) -> None:
        if tag == "a":
            self._builder.close_link()
            return
        self._builder.end_block()
        self._verbatim -= tag == "pre"

    def _read_asides(self) -> None:
        """Boxes that stand before the first paragraph follow it, so that it comes first."""
        waiting, self._asides = self._asides, []
        for node in waiting:
            self._walk(node, asides=False)

    def _is_aside(self, tag: str, node: LexborNode) -> bool:
        if self._builder.has_paragraph:
            return False
        return tag in ASIDE_TAGS or (
            tag == "div" and not ASIDE_CLASSES.isdisjoint(_classes(node.attributes))
        )

    @staticmethod
    def _is_furniture(node: LexborNode) -> bool:
        attributes = node.attributes
        if not attributes:
            return False
        return (
            attributes.get("id") in FURNITURE_IDS
            or attributes.get("role") == "navigation"
            or not FURNITURE_CLASSES.isdisjoint(_classes(attributes))
        )


def _classes(attributes: dict[str, str | None]) -> list[str]:
    return (attributes.get("class") or "").split()
