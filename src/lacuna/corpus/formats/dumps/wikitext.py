"""Wikitext as a document: paragraphs, headings and links; the rest is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import unquote

from lacuna.corpus.formats.dumps.wikitext_strip import LINE_BREAK, strip_wikitext
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.titles import split_fragment, wiki_title
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
LINK = re.compile(
    r"\[\[(?P<target>[^\[\]|\n]+)(?:\|(?P<anchor>(?:[^\[\]]++|\[(?!\[)|\](?!\]))*+))?\]\](?P<trail>[a-z]*)"
)
LEFT_OVER = re.compile(r"'{2,}|\[\[|\]\]|\}\}")
"""Marks without a partner; MediaWiki would show some of them, no reader wants them."""

LIST_MARK = re.compile(r"[*#:;]+[ \t]*")


class WikitextParser:
    """Reads the pages of one wiki; ``namespaces`` are the local names of all but the main one."""

    def __init__(self, files: Iterable[str] = (), namespaces: Iterable[str] = ()) -> None:
        self._files = WITHOUT_TEXT | {name.lower() for name in files}
        self._other = OTHER_NAMESPACES | OTHER_WIKIS | {name.lower() for name in namespaces}

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
        at = 0
        for link in LINK.finditer(text):
            _add(builder, text[at : link.start()])
            self._link(builder, link["target"], link["anchor"], link["trail"])
            at = link.end()
        _add(builder, text[at:])

    def _link(self, builder: PageBuilder, written: str, anchor: str | None, trail: str) -> None:
        written = unescape(unquote(written))
        target, fragment = split_fragment(written)
        prefix, colon, _ = target.partition(":")
        prefix = prefix.strip().lower()
        if colon and LANGUAGE.fullmatch(prefix) and prefix not in self._other:
            _add(builder, trail)  # the link is to the same page in another language
            return
        if not (colon and (not prefix or prefix in self._other)):
            builder.open_link(wiki_title(target) or builder.title, fragment)
        # An empty anchor shows the target; MediaWiki shows [[ferry]]boat as one word.
        shown = anchor if anchor and anchor.strip() else written.strip().removeprefix(":")
        _add(builder, shown + trail)
        builder.close_link()


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
