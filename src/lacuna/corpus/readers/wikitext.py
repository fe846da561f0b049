"""Wikitext as a document: paragraphs, headings and links; the rest is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import unquote

import mwparserfromhell
from mwparserfromhell.nodes import HTMLEntity, Node, Tag, Text, Wikilink

from lacuna.corpus.readers.page_builder import PageBuilder
from lacuna.corpus.readers.titles import split_fragment, wiki_title
from lacuna.corpus.readers.wikitext_strip import LINE_BREAK, strip_wikitext
from lacuna.types import Document

WITHOUT_TEXT = frozenset(("file", "image", "media", "category"))
"""Namespaces whose links show a picture or sort the page; they have no place in the text."""

OTHER_NAMESPACES = frozenset(
    "talk user template help portal special wikipedia project mediawiki module book draft".split()  # noqa: SIM905
)
OTHER_WIKIS = frozenset(
    "wikt wiktionary commons s wikisource n wikinews q wikiquote b wikibooks v wikiversity w "  # noqa: SIM905
    "voy species meta m mw d wikidata foundation doi arxiv".split()
)
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,10})?|simple")
LINK_TRAIL = re.compile(r"[a-z]+")
LEFT_OVER = re.compile(r"'{2,}|\[\[|\]\]|\}\}")
"""Marks without a partner; MediaWiki would show some of them, no reader wants them."""

LIST_MARK = re.compile(r"[*#:;]+[ \t]*")
LONGEST_PARAGRAPH = 100_000
"""Characters parsed at once; the parser's time grows faster than the text."""


class WikitextReader:
    """Reads the pages of one wiki; ``namespaces`` are the local names of all but the main one."""

    def __init__(self, files: Iterable[str] = (), namespaces: Iterable[str] = ()) -> None:
        self._files = WITHOUT_TEXT | {name.lower() for name in files}
        self._other = OTHER_NAMESPACES | OTHER_WIKIS | {name.casefold() for name in namespaces}

    def document(self, title: str, wikitext: str) -> Document:
        """One page."""
        builder = PageBuilder(title)
        for line in strip_wikitext(wikitext, self._files).split("\n"):
            self._line(builder, line)
        return builder.document()

    def _line(self, builder: PageBuilder, line: str) -> None:
        stripped = line.strip()
        level = _heading_level(stripped)
        if level:
            builder.open_heading(level)
            self._inline(builder, stripped[level:-level])
            builder.end_block()
        elif mark := LIST_MARK.match(line):
            builder.end_block()
            self._inline(builder, line[mark.end() :])
            builder.end_block()
        elif not stripped:
            builder.end_block()
        else:
            builder.add(" ")
            self._inline(builder, stripped)

    def _inline(self, builder: PageBuilder, text: str) -> None:
        if "[[" not in text:
            _add(builder, text)
            return
        for start in range(0, len(text), LONGEST_PARAGRAPH):
            part = mwparserfromhell.parse(text[start : start + LONGEST_PARAGRAPH])
            self._nodes(builder, part.nodes)

    def _nodes(self, builder: PageBuilder, nodes: Iterable[Node]) -> None:
        after_link = False
        for node in nodes:
            trail = ""
            text = str(node) if isinstance(node, Text | HTMLEntity) else ""
            if after_link and (match := LINK_TRAIL.match(text)):
                # MediaWiki's rule: [[ferry]]boat shows "ferryboat" as the anchor.
                trail = match[0]
                builder.add(trail)
            if after_link:
                builder.close_link()
                after_link = False
            if isinstance(node, Wikilink):
                after_link = self._link(builder, node)
            elif isinstance(node, Tag):
                if node.contents is not None:
                    self._nodes(builder, node.contents.nodes)
            else:
                _add(builder, text[len(trail) :])
        if after_link:
            builder.close_link()

    def _link(self, builder: PageBuilder, node: Wikilink) -> bool:
        """Add the anchor; true if a link was opened that is still to be closed."""
        written = unescape(unquote(str(node.title)))
        target, fragment = split_fragment(written)
        prefix, colon, _ = target.partition(":")
        prefix = prefix.strip().casefold()
        if colon and LANGUAGE.fullmatch(prefix) and prefix not in self._other:
            return False
        is_page = not (colon and (not prefix or prefix in self._other))
        if is_page:
            builder.open_link(wiki_title(target) or builder.title, fragment)
        if node.text is not None and str(node.text).strip():
            self._anchor(builder, node.text.nodes)
        else:
            _add(builder, written.removeprefix(":"))
        return is_page

    def _anchor(self, builder: PageBuilder, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if isinstance(node, Tag):
                if node.contents is not None:
                    self._anchor(builder, node.contents.nodes)
            elif isinstance(node, Wikilink):
                _add(builder, str(node.text or node.title))
            else:
                _add(builder, str(node))


def _add(builder: PageBuilder, text: str) -> None:
    text = unescape(LEFT_OVER.sub("", text))
    for index, line in enumerate(text.split(LINE_BREAK)):
        if index:
            builder.break_line()
        builder.add(line)


def _heading_level(line: str) -> int:
    if not (line.startswith("=") and line.endswith("=") and len(line) > 2):
        return 0
    opening = len(line) - len(line.lstrip("="))
    closing = len(line) - len(line.rstrip("="))
    return min(opening, closing, 6, (len(line) - 1) // 2)
