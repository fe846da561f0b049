"""Find the main part of an HTML page, and cut the rest before a parser sees it."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

Attributes = Mapping[str, str | None]


def names(listed: str) -> frozenset[str]:
    """The names in a line, as a set."""
    return frozenset(listed.split())


NOT_READ = names(
    "script style noscript template nav head title iframe object embed svg button select option "
    "textarea input audio video canvas rp -comment -doctype"
)
ROLES = names(
    "navigation banner contentinfo search menu menubar toolbar tablist doc-backlink doc-noteref "
    "doc-pagebreak"
)
IDS = names(
    # MediaWiki
    "siteSub contentSub contentSub2 jump-to-nav footer catlinks toc mw-navigation mw-head mw-panel "
    "mw-footer mw-hidden-catlinks mw-page-base mw-head-base siteNotice column-one "
    # mdBook, rustdoc, Doxygen, pydata, Confluence
    "menu-bar menu-bar-hover-placeholder copy-path search-wrapper nav-path side-nav nav-sync "
    "main-nav titlearea column2 MSearchSelectWindow MSearchResultsWindow "
    "pst-skip-link breadcrumb-section breadcrumbs breadcrumb-nav "
    "footer-logo skip-link skip-to-content"
)
CLASSES = names(
    # MediaWiki
    "mw-editsection editsection printfooter toc catlinks noprint mw-jump-link mw-indicators "
    "mw-empty-elt mw-cite-backlink navbar-header "
    "mwe-math-fallback-image-inline mwe-math-fallback-image-display toctitle "
    # DocBook, texinfo, AsciiDoc
    "navheader navfooter docnav nav-panel shortcontents linenav "
    # Sphinx: alabaster, Read the Docs, furo, pydata
    "headerlink viewcode-link viewcode-back sphinxsidebar related wy-nav-side wy-nav-top "
    "wy-breadcrumbs rst-footer-buttons rst-versions sidebar-drawer toc-drawer mobile-header "
    "back-to-top content-icon-container related-pages bottom-of-page skip-to-content "
    "bd-sidebar-primary bd-sidebar-secondary bd-header bd-header-article bd-footer bd-toc "
    "prev-next-area prev-next-bottom skip-link header-article copybtn linenos linenodiv lineno "
    "footnote-reference footnote-ref footnote-backref footnote-back fn-backref reversefootnote "
    "fn-bracket backrefs inline-toc "
    # MkDocs, Material
    "navbar bs-sidebar md-header md-footer md-sidebar md-nav md-tabs md-skip md-clipboard "
    "md-content__button md-source-file md-top md-search wm-toc-pane wm-page-top-frame "
    # Docusaurus, Hugo, Jekyll, GitBook, mdBook
    "theme-doc-breadcrumbs theme-doc-toc-mobile theme-edit-this-page theme-last-updated "
    "theme-doc-sidebar-container pagination-nav hash-link table-of-contents td-sidebar td-toc "
    "td-heading-self-link td-page-meta book-menu book-toc book-footer site-header site-footer "
    "side-bar anchor-heading aux-nav book-summary book-header navigation-prev navigation-next "
    "page-footer search-results nav-chapters mobile-nav-chapters nav-wrapper sidetoc "
    # Javadoc, rustdoc, Doxygen, Node.js
    "topNav bottomNav subNav top-nav sub-nav bottom-nav skipNav skip-nav skip-nav-links srclink "
    "out-of-band sidebar-elems rightside navpath ttc src-link test-arrow hideme "
    # Confluence, notebooks, and what many have
    "toc-macro expand-control anchor-link anchorjs-link heading-anchor header-anchor permalink "
    "self-link id_link breadcrumb breadcrumbs sidebar-navigation sr-only visually-hidden "
    "screen-reader-text skip-links copy-button btn-clipboard gutter pagination edit-link "
    "edit-this-page lnkocn prev-next page-nav post-nav site-nav back-to-top-link"
)
BOXES = names("div ul ol table section header aside form dl p")
"""Elements that may hold a whole bar of links."""
MOSTLY_LINKS = re.compile(
    r"(?:^|[\s_-])(?:sidebar|side|menu|nav|header|footer|topbar|[gl]?toc|pager|toolbar|picker|tabs|"
    r"links|banner|bar|skip|prev|next)(?:$|[\s_-])|navigation|sidebar|navbar|breadcrumb|sidenav",
    re.IGNORECASE,
)
"""Names that a page's text has too: with them an element is left out if it is mostly links."""
SIGNS = names("¶ # § 🔗 ∞ ⚓ ⚓︎ ↩ ↩︎ ↑ ^ [link] [source] [src] [edit]")
"""Texts of links that lead to their own place, or back to it."""


class Furniture:
    """Tells which elements of a page are its frame, within a bounded time for the page."""

    def __init__(self, patience: int) -> None:
        """``patience``: how many characters may be looked at to tell links from text."""
        self._patience = patience

    def holds(self, tag: str, node: LexborNode, attributes: Attributes) -> bool:
        """Tell if an element is part of the frame."""
        if tag == "footer":
            return _parent_tag(node) != "blockquote"
        if not attributes:
            return False
        name = attributes.get("id")
        if name in IDS or attributes.get("role") in ROLES:
            return True
        if attributes.get("aria-hidden") == "true":
            return True
        listed = attributes.get("class") or ""
        if listed and self._is_named(tag, node, listed.split()):
            return True
        if (name or listed) and tag in BOXES and _may_be_links(f"{name or ''} {listed}"):
            return self.is_mostly_links(node)
        return tag == "span" and "display:none" in (attributes.get("style") or "").replace(" ", "")

    def _is_named(self, tag: str, node: LexborNode, classes: list[str]) -> bool:
        if not CLASSES.isdisjoint(classes):
            return True
        if tag == "sup":
            return "reference" in classes or "footnote" in classes
        if "contents" in classes and ("topic" in classes or "local" in classes):
            return True
        if "label" in classes:  # the number before a footnote
            parent = node.parent
            return parent is not None and "footnote" in (parent.attributes.get("class") or "")
        return False

    def is_mostly_links(self, node: LexborNode) -> bool:
        """Tell if more than half of what it says are links, and none of it is a main heading."""
        if self._patience <= 0 or node.css_first("h1") is not None:
            return False
        text = node.text()
        self._patience -= len(text)
        links = node.css("a")
        linked = sum(len(link.text().split()) for link in links)
        words = len(text.split())
        return 2 * linked > words or (bool(links) and not words)


@lru_cache(maxsize=4096)
def _may_be_links(names: str) -> bool:
    return MOSTLY_LINKS.search(names) is not None


def is_sign(node: LexborNode) -> bool:
    """Tell if a link is only a mark: of a footnote, or of the heading that it stands in."""
    child = node.first_child
    if child is None or child.next is not None:
        return False
    if child.tag == "-text":
        text = (child.text_content or "").strip()
        return text in SIGNS or (_is_number(text) and _parent_tag(node) == "sup")
    return child.tag == "sup" and _is_number(child.text().strip())


def _is_number(text: str) -> bool:
    return len(text) <= 6 and text.strip("[]()").isdigit()


def _parent_tag(node: LexborNode) -> str:
    parent = node.parent
    return (parent.tag or "") if parent is not None else ""


# Cut from a page what a parser would take for ever for, before the parser sees it.
#
# An HTML parser needs time that grows with the square of how deeply elements are nested, how many
# attributes one has, how many formats are left open, and how many options stand in a list. Real
# pages have dozens of each. What a page has beyond the limits here loses its tags and keeps its
# text.


DEEPEST = 400
"""Elements inside each other."""
MOST_FORMATS = 16
"""Open elements that only change how text looks."""
NEVER = sys.maxsize
LONG_ATTRIBUTES = 10_000
MOST_ATTRIBUTES = 200

TAG = re.compile(
    r"""<(?:
    (?P<comment>!--)
    |(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)
     (?P<attributes>[^>"'=]*+(?:(?:=\s*+(?:"[^"]*+"|'[^']*+')|["'=])[^>"'=]*+)*+)>?
    |(?P<bogus>[!?/])
    )""",
    re.VERBOSE,
)
ATTRIBUTE = re.compile(r"""[^\s"'>/=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?""")
COMMENT_END = re.compile(r"--!?>")

RAW = {
    name: re.compile(rf"</{name}\b[^>]*>?", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
"""Elements whose content is no markup."""
CLOSES_ITSELF = names(
    "p li dt dd tr td th thead tbody tfoot a br hr img input meta link area base col embed source "
    "track wbr param image html head body frame keygen basefont bgsound command"
)
"""These have no end, or are closed by the next of their kind."""
FORMATS = names(
    "b big code em font i nobr s small span strike strong tt u abbr cite kbd samp var sub sup mark"
)
WALLS = names("table button object marquee applet template svg math caption")
"""An end tag inside one of these does not close what was opened outside of it."""
CHOICES = names("select option optgroup selectedcontent")
SELECT_END = re.compile(r"</select\b[^>]*>?", re.IGNORECASE)


class _Open:
    """The elements that are open inside a wall."""

    def __init__(self, wall: str) -> None:
        self.wall = wall
        self.names: list[str] = []
        self.counts: Counter[str] = Counter()


class _Scan:
    """One pass over the tags of a page, noting which stretches to cut."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.cuts: list[tuple[int, int, str]] = []
        self._walls = [_Open("")]
        self._depth = 0
        self._formats: Counter[str] = Counter()
        self._open_formats = 0
        self._dropped: Counter[str] = Counter()
        self._select_end = 0

    def run(self) -> None:
        resume = 0
        for tag in TAG.finditer(self.html):
            start = tag.start()
            if start < resume:
                continue
            if tag["name"] in CLOSES_ITSELF and tag.end() - start < LONG_ATTRIBUTES:
                continue
            if tag["comment"]:
                resume = self._after(COMMENT_END, tag.start() + 2)
            elif tag["bogus"]:
                resume = self.html.find(">", tag.end()) + 1 or len(self.html)
            else:
                resume = self._tag(tag)

    def _after(self, end: re.Pattern[str], start: int) -> int:
        found = end.search(self.html, start)
        return found.end() if found else len(self.html)

    def _tag(self, tag: re.Match[str]) -> int:
        """The place to go on from: behind the tag, or behind all that its element holds."""
        name = tag["name"].lower()
        if name in CHOICES:
            return self._choice(tag, name)
        if tag["end"]:
            if name not in CLOSES_ITSELF and not self._closes(name):
                self.cuts.append((*tag.span(), ""))
            return tag.end()
        if len(tag["attributes"]) > LONG_ATTRIBUTES:
            self._shorten(tag)
        if name in RAW:
            return self._after(RAW[name], tag.end())
        if name not in CLOSES_ITSELF and not tag["attributes"].endswith("/"):
            self._opens(name, tag)
        return tag.end()

    def _choice(self, tag: re.Match[str], name: str) -> int:
        end = tag.end()
        if name == "select" and not tag["end"]:
            if self._select_end < end:
                found = SELECT_END.search(self.html, end)
                self._select_end = found.end() if found else NEVER
            # A list that never ends would take the rest of the page with it.
            end = self._select_end if self._select_end != NEVER else end
        self.cuts.append((tag.start(), end, " "))
        return end

    def _shorten(self, tag: re.Match[str]) -> None:
        attributes = ATTRIBUTE.findall(tag["attributes"])
        if len(attributes) > MOST_ATTRIBUTES:
            kept = " ".join(attributes[:MOST_ATTRIBUTES])
            self.cuts.append((*tag.span("attributes"), f" {kept} "))

    def _opens(self, name: str, tag: re.Match[str]) -> None:
        if name in FORMATS:
            fits = self._open_formats < MOST_FORMATS
            if fits:
                self._formats[name] += 1
                self._open_formats += 1
        else:
            fits = self._depth < DEEPEST
            if fits:
                self._depth += 1
                if name in WALLS:
                    self._walls.append(_Open(name))
                else:
                    self._walls[-1].names.append(name)
                    self._walls[-1].counts[name] += 1
        if not fits:
            self._dropped[name] += 1
            self.cuts.append((*tag.span(), " "))

    def _closes(self, name: str) -> bool:
        """Tell if an end tag ends something that the parser was given."""
        if self._dropped[name]:
            self._dropped[name] -= 1
            return False
        if name in FORMATS:
            if not self._formats[name]:
                return False
            self._formats[name] -= 1
            self._open_formats -= 1
            return True
        if name in WALLS:
            return self._leaves_wall(name)
        inside = self._walls[-1]
        if not inside.counts[name]:
            return name == "p"
        while inside.names:
            last = inside.names.pop()
            inside.counts[last] -= 1
            self._depth -= 1
            if last == name:
                break
        return True

    def _leaves_wall(self, name: str) -> bool:
        if all(wall.wall != name for wall in self._walls):  # no more of them than DEEPEST
            return False
        while True:
            left = self._walls.pop()
            self._depth -= len(left.names) + 1
            if left.wall == name:
                return True


def tamed(html: str) -> str:
    """The page with nothing in it that its parser would take more than linear time for.

    >>> tamed("<p>One <b>two</b></i></p><select><option>three</select>")
    '<p>One <b>two</b></p> '
    """
    scan = _Scan(html)
    scan.run()
    pieces: list[str] = []
    at = 0
    for start, end, instead in sorted(scan.cuts):
        if start >= at:
            pieces += (html[at:start], instead)
            at = end
    return "".join((*pieces, html[at:])) if scan.cuts else html


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
"""The elements in which offline wikis and common page makers put the main part."""
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
    """The names of a page: its main heading, and the title that its window has."""

    heading: LexborNode | None
    name: str
    window: str


SAYS_NOTHING = re.compile(
    r"[\W_]*\d{0,3}[\W_]*|(?:untitled|new|no)?\W*(?:document|page|title|untitled)\W*\d*|index|default|"
    r"(?:appendix|chapter|part|section)[\W\d]*",
    re.IGNORECASE,
)
"""Titles that do not tell one page from another."""


def called(tree: LexborHTMLParser, part: LexborNode, furniture: Furniture) -> Called:
    """The main heading of the part, or the title where none is about the whole page."""
    window = tree.css_first("head > title")
    shown = _shortened(window.text()) if window is not None else ""
    title = "" if SAYS_NOTHING.fullmatch(shown) else shown
    wiki = tree.css_first("h1.firstHeading")
    headings = [wiki] if wiki is not None else part.css("h1, h2, h3")[:HEADINGS_LOOKED_AT]
    main = [heading for heading in headings if heading.tag == "h1"]
    first: LexborNode | None = None
    for heading in headings:
        name = _shortened(plain_text(heading, furniture))
        begins = not title or title.casefold().startswith(name.casefold())
        is_nothing = heading is not wiki and SAYS_NOTHING.fullmatch(name)
        if not name or is_nothing or _is_in_frame(heading, furniture, named=begins):
            main = [other for other in main if other is not heading]
            continue
        # The only main heading above all others is the title; one of several may begin a section.
        # Some page makers begin with a smaller one.
        is_only = first is None and heading.tag == "h1" and len(main) == 1
        if is_only or (_is_name(title, name) and (first is None or heading.tag == "h1")):
            return Called(heading, name, shown)
        if first is None or (heading.tag == "h1" and first.tag != "h1"):
            first = heading
    if not title and first is not None:  # a smaller one stays a heading of its section
        name = _shortened(plain_text(first, furniture))
        return Called(first if first.tag == "h1" else None, name, shown)
    return Called(None, shown, shown)


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
    """Tell if the window's title is this name, with or without more, such as the site's.

    >>> _is_name("Timing (GNU Octave)", "36.1 Timing"), _is_name("SELECT", "1. Overview")
    (True, False)
    """
    bare = NUMBER.sub("", name.casefold())
    return bool(bare) and bare in title.casefold()


def _is_in_frame(heading: LexborNode, furniture: Furniture, *, named: bool) -> bool:
    """Tell if a heading is the name of the site, above every page of it."""
    above = heading.parent
    while above is not None and above.tag not in ("main", "article", "body"):
        if above.tag == "header" and not named:
            return True
        if above.tag in NOT_READ or furniture.holds(above.tag or "", above, above.attributes):
            return True
        above = above.parent
    return False
