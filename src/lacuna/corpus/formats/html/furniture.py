"""What stands on a page and is not what the page says: navigation, bars, marks and buttons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from selectolax.lexbor import LexborNode

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
"""What a link says that leads to the place where it stands, or back to it."""


class Furniture:
    """Tells which elements of a page are its frame, within a bounded time for the page."""

    def __init__(self, patience: int) -> None:
        """``patience``: how many characters may be looked at to tell links from text."""
        self._patience = patience

    def holds(self, tag: str, node: LexborNode, attributes: Attributes) -> bool:
        """Whether an element is part of the frame."""
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
        """Whether more than half of what it says are links, and none of it is a main heading."""
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
    """Whether a link is only a mark: of a footnote, or of the heading that it stands in."""
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
