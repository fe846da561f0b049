"""The HTML and the components inside a Markdown page, tag by tag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from lacuna.corpus.formats.markdown.attributes import attributes, shown_words
from lacuna.corpus.formats.markdown.sheet import Sheet
from lacuna.corpus.formats.markdown.templates import (
    BY_NAME,
    ELSEWHERE,
    TEMPLATE,
    link_target,
    template_words,
)
from lacuna.corpus.pages.page import LinkKind

# None of them goes on over another "<", so that many openings without an end stay cheap.
TAG = re.compile(
    r"""<(/?)([A-Za-z][\w.:-]*)(?=[\s/>{])((?:[^<>"'{}]|"[^"<]*+"|'[^'<]*+'"""
    r"""|\{(?:[^{}<]|\{[^{}<]*+\}|<[^<>{}]*+>)*+\})*+)>"""
)
CARELESS_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(?=[\s/>])([^<>]*+)>")
DECLARATION = re.compile(r"<[!?][^<>]*+>")
LONGEST_COMMENT = 5000
"""Of one inside running text; one that begins a line may go on."""
FURTHEST_END = 2000
"""Characters in which the end of an element that HTML does not know is looked for."""
SHORTCODE = re.compile(r"\{\{[<%][^{}]*+\}\}")
SILENT = frozenset(("script", "style", "template", "svg"))
BLOCK_NAMES = """
address article aside blockquote caption center dd details dialog div dl dt fieldset figcaption
figure footer form header hr main nav ol p pre section summary tbody thead ul
"""
INLINE_NAMES = """
a abbr acronym audio b bdi bdo big br button canvas cite code col colgroup data del dfn em font h1
h2 h3 h4 h5 h6 i iframe img input ins kbd label li link mark meta object optgroup option output
param picture progress q rp rt ruby s samp select small source span strike strong sub sup table td
textarea tfoot th time tr track tt u var video wbr
"""
BLOCKS = frozenset(BLOCK_NAMES.split())
HTML_NAMES = BLOCKS | SILENT | frozenset(INLINE_NAMES.split())


def tag_at(text: str, start: int) -> int:
    """Where the tag that begins here ends; 0 if none does."""
    if text.startswith("<!--", start):
        end = text.find("-->", start, start + LONGEST_COMMENT)
        return end + len("-->") if end >= 0 else 0
    tag = TAG.match(text, start) or CARELESS_TAG.match(text, start)
    if tag is None:
        declaration = DECLARATION.match(text, start)
        return declaration.end() if declaration else 0
    return 0 if tag[2].lower() not in HTML_NAMES and _is_text(text, tag) else tag.end()


def _is_text(text: str, tag: re.Match[str]) -> bool:
    """Whether what looks like a tag is a type, as in ``Vec<T>``, or a gap for ``<your-name>``."""
    if tag[1]:
        return False
    if tag.start() and text[tag.start() - 1].isalnum():
        return True
    is_gap = tag[2].islower() and not tag[3]
    return is_gap and text.find(f"</{tag[2]}>", tag.end(), tag.end() + FURTHEST_END) < 0


def _pieces(html: str) -> Iterator[tuple[bool, str]]:
    """Text, and what is markup: tags and comments."""
    at = 0
    while at < len(html):
        is_markup = True
        if html.startswith("<!--", at):
            end = html.find("-->", at) + len("-->")
            end = end if end > at else len(html)
        elif html[at] != "<" or not (end := tag_at(html, at)):
            is_markup = False
            end = html.find("<", at + 1)
            end = end if end > at else len(html)
        yield is_markup, html[at:end]
        at = end


class TagReader:
    """Writes what tags mean onto a page: ends of blocks, links, pictures, tables, anchors."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._silent = ""
        self._verbatim = False
        self._lists = 0
        self._in_heading = False

    def read(self, html: str, line: int = 0) -> None:
        """A stretch of HTML that begins on this line; 0 where lines are not known."""
        html = SHORTCODE.sub(lambda found: template_words(found[0]) or "", html)
        for is_markup, piece in _pieces(html):
            if is_markup:
                self.tag(piece, alone=True)
            else:
                self._text(piece)
            if line and "\n" in piece:
                line += piece.count("\n")
                self._sheet.mark(line)
        self._in_heading = False

    def tag(self, written: str, *, alone: bool) -> None:
        """One tag; a component that stands alone on its line ends the block before it."""
        tag = TAG.fullmatch(written) or CARELESS_TAG.fullmatch(written)
        if tag is None:
            return
        closing, name, given = bool(tag[1]), tag[2].lower(), attributes(tag[3])
        if self._silent:
            self._silent = "" if closing and name == self._silent else self._silent
        elif name in SILENT:
            if not closing and not tag[3].endswith("/"):
                self._silent = name
        elif name in HTML_NAMES:
            self._html(name, closing, given)
        else:
            self._component(tag[2], closing, given, alone=alone)

    def _text(self, text: str) -> None:
        if self._silent:
            return
        shown = TEMPLATE.sub(lambda found: template_words(found[0]) or "", unescape(text))
        if self._verbatim:
            self._sheet.out.add_verbatim(shown)
        else:
            self._sheet.out.add(shown)

    def _html(self, name: str, closing: bool, given: dict[str, str]) -> None:
        sheet, out = self._sheet, self._sheet.out
        if name in BLOCKS or name == "li":
            self._end_block(name, closing)
        anchor = given.get("id") or (given.get("name") if name == "a" else "")
        if anchor and not closing:
            sheet.builder.anchor(anchor)
        match name:
            case "br":
                out.break_line()
            case "a":
                out.close_link()
                if not closing and "href" in given:
                    open_link(sheet, given["href"])
            case "img":
                out.open_picture(given.get("src", ""))
                out.add(given.get("alt", "") or given.get("title", ""))
                out.close_picture()
            case "pre":
                self._verbatim = not closing
            case "table":
                if closing:
                    sheet.end_table()
                else:
                    sheet.begin_table()
            case "tr":
                if not closing:
                    sheet.begin_row()
            case "td" | "th":
                if not closing:
                    across, down = given.get("colspan", ""), given.get("rowspan", "")
                    sheet.begin_cell(name == "th", _count(across), _count(down))
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._in_heading = not closing
                if closing:
                    out.end_block()
                else:
                    out.open_heading(int(name[1]))

    def _end_block(self, name: str, closing: bool) -> None:
        out = self._sheet.out
        if self._in_heading:
            out.add(" ")
            return
        if name in ("ul", "ol"):
            self._lists = max(0, self._lists + (-1 if closing else 1))
            if closing and not self._lists:
                out.end_list()
                return
        if self._lists:
            out.end_item()
        else:
            out.end_block()

    def _component(self, name: str, closing: bool, given: dict[str, str], *, alone: bool) -> None:
        out = self._sheet.out
        out.close_link()
        if alone:
            out.end_block()
        if closing:
            return
        if given.get("id"):
            self._sheet.builder.anchor(given["id"])
        open_link(self._sheet, given.get("href") or given.get("to") or "")
        if words := shown_words(name, given):
            out.add(words)
            out.close_link()
            if alone:
                out.end_block()
            else:
                out.add(": " if words[-1].isalnum() else " ")


def open_link(sheet: Sheet, written: str) -> None:
    """A link to what its target says once templates in it are filled in."""
    target = TEMPLATE.sub(lambda found: link_target(found[0]), written).strip()
    if BY_NAME in target:
        sheet.out.open_written(target.partition(BY_NAME)[2], LinkKind.NAME)
    elif target and ELSEWHERE not in target:
        sheet.out.open_written(target)


def _count(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 5 else 1
