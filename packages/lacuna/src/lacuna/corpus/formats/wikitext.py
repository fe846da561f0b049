"""Wikitext as a document: paragraphs, headings and links, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import unquote

from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.titles import split_fragment, wiki_title
from lacuna.types import Document

OPENS_OR_CLOSES = re.compile(r"\{\{|\}\}|^[:*# ]*\{\||^\|\}(?!\})", re.MULTILINE)
INLINE_ARGUMENTS = {
    "convert": slice(0, 2),
    "cvt": slice(0, 2),
    "nowrap": slice(0, 1),
    "nobr": slice(0, 1),
    "lang": slice(1, 2),
}
"""Templates whose arguments are words of a sentence, and which of them."""

INLINE_TEMPLATE = re.compile(
    rf"\{{\{{\s*(?P<name>{'|'.join(INLINE_ARGUMENTS)})\s*\|(?P<arguments>[^{{}}\[\]]*)\}}\}}", re.I
)
Cut = tuple[int, int, str]
"""A place where something is taken out, and the text that stays there."""

DROPPED = (
    "ref|gallery|math|chem|timeline|score|syntaxhighlight|source|imagemap|table|graph|hiero|"
    "templatedata|mapframe|maplink|indicator|inputbox|references|categorytree|section|style"
)
DROPPED_TAG = re.compile(rf"<({DROPPED})\b[^<>]{{0,2000}}?(/?)>", re.IGNORECASE | re.ASCII)
END_OF_DROPPED = {
    name: re.compile(f"</{name}", re.IGNORECASE | re.ASCII) for name in DROPPED.split("|")
}
# Looked for without regard to case in the text itself: in lower case it may have another length.
LINE_TAG = re.compile(r"<br\b[^<>]{0,200}>", re.IGNORECASE)
BLOCK_TAG = re.compile(
    r"</?(?:p|div|blockquote|center|poem|ul|ol|li|dl|dd|dt|hr|h[1-6]|pre|tr|td|th)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
INLINE_TAG = re.compile(r"</?[A-Za-z][^<>]{0,2000}>")
EXTERNAL_LINK = re.compile(
    r"\[(?:https?:|ftp:|mailto:|news:|irc:)?//?[^\s\[\]<>]++[ \t]*+([^\[\]\n]*+)\]"
)
BARE_ADDRESS = re.compile(r"\bhttps?://[^\s\[\]<>|]+")
SWITCH = re.compile(r"__[A-Z]{3,30}__")
NOWIKI = re.compile(r"<nowiki\s*+>", re.IGNORECASE)
END_OF_NOWIKI = re.compile(r"</nowiki", re.IGNORECASE)
MARKUP = {"[": "&#91;", "]": "&#93;", "{": "&#123;", "}": "&#125;", "'": "&#39;", "<": "&lt;"}
BRACKETS = re.compile(r"\[\[|\]\]")
LINK_OVER_LINES = re.compile(r"\[\[[^\[\]|\n]{1,300}\|[^\[\]]{0,1000}\]\]")
LEFT_EMPTY = re.compile(r" \([\s;,]*\)")
"""Brackets that held only a template, such as a pronunciation."""

LINE_BREAK = "\x0b"
"""Stands for a line break that does not end a paragraph."""


def strip_wikitext(text: str, files: frozenset[str]) -> str:
    """The text without comments, templates, tables, references, tags and pictures.

    ``files`` are the namespaces, in lower case, whose links have no place in the text.
    """
    text = text.replace("\r\n", "\n").replace(LINE_BREAK, " ")
    text = _without_comments(text)
    text = _plain_nowiki(text)
    text = _without_elements(text)
    text = _without_braces(text)
    text = LINE_TAG.sub(LINE_BREAK, text)
    text = BLOCK_TAG.sub("\n\n", text)
    text = INLINE_TAG.sub("", text)
    text = EXTERNAL_LINK.sub(r"\1", text)
    text = BARE_ADDRESS.sub("", text)
    text = _without_files(text, files)
    text = LINK_OVER_LINES.sub(lambda link: link[0].replace("\n", " "), text)
    text = LEFT_EMPTY.sub("", text)
    return SWITCH.sub("", text)


def _without_comments(text: str) -> str:
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start + 4)
        at = end + 3 if end >= 0 else len(text)
    return "".join(parts) + text[at:]


def _plain_nowiki(text: str) -> str:
    """Inside nowiki all signs are plain: as entities they come through the parser as they are."""
    parts, at = [], 0
    while opening := NOWIKI.search(text, at):
        if not (closing := END_OF_NOWIKI.search(text, opening.end())):
            break
        parts.append(text[at : opening.start()])
        inside = text[opening.end() : closing.start()]
        parts.append("".join(MARKUP.get(sign, sign) for sign in inside))
        at = closing.start()  # the closing tag goes with the other tags
    return "".join(parts) + text[at:]


def _without_elements(text: str) -> str:
    parts, at = [], 0
    never_closed: set[str] = set()
    while opening := DROPPED_TAG.search(text, at):
        parts.append(text[at : opening.start()])
        at = opening.end()
        name = opening[1].lower()
        if opening[2] or name in never_closed:
            continue
        if closing := END_OF_DROPPED[name].search(text, at):
            at = text.find(">", closing.end()) + 1 or len(text)
        else:
            never_closed.add(name)
    return "".join(parts) + text[at:]


def _without_braces(text: str) -> str:
    """Without ``{{templates}}`` and ``{|tables|}``; one that is never closed ends at a gap."""
    cuts: list[Cut] = []
    waiting: list[tuple[str, int]] = []
    count = {"{{": 0, "{|": 0}
    for sign in OPENS_OR_CLOSES.finditer(text):
        if sign[0].endswith(("{{", "{|")):
            kind = sign[0][-2:]
            waiting.append((kind, sign.start()))
            count[kind] += 1
            continue
        kind = "{{" if sign[0] == "}}" else "{|"
        while count[kind]:
            opened, start = waiting.pop()
            count[opened] -= 1
            if opened == kind:
                cuts.append((start, sign.end(), _shown(text, start, sign.end())))
                break
    covered = -1
    for _, start in waiting:
        if start >= covered:
            gap = text.find("\n\n", start)
            covered = gap if gap >= 0 else len(text)
            cuts.append((start, covered, ""))
    return _cut(text, cuts)


def _without_files(text: str, files: frozenset[str]) -> str:
    """Without pictures and categories; a caption may have links of its own, and lines."""
    cuts: list[Cut] = []
    waiting: list[int] = []
    for sign in BRACKETS.finditer(text):
        if sign[0] == "[[":
            waiting.append(sign.start())
        elif waiting and _names_file(text, start := waiting.pop(), files):
            cuts.append((start, sign.end(), ""))
    for start in waiting:
        if _names_file(text, start, files):
            end = text.find("\n", start)
            cuts.append((start, end if end >= 0 else len(text), ""))
    return _cut(text, cuts)


def _names_file(text: str, start: int, files: frozenset[str]) -> bool:
    prefix, colon, _ = text[start + 2 : start + 80].partition(":")
    return bool(colon) and prefix.strip().lower() in files


def _shown(text: str, start: int, end: int) -> str:
    """The text that a template leaves: nothing, but for a few that stand inside sentences."""
    if not (template := INLINE_TEMPLATE.fullmatch(text, start, end)):
        return ""
    arguments = [part.strip() for part in template["arguments"].split("|") if "=" not in part]
    shown = INLINE_ARGUMENTS[" ".join(template["name"].lower().split())]
    return " ".join(arguments[shown])


def _cut(text: str, cuts: list[Cut]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, shown in sorted(cuts):
        if start >= at:
            parts += (text[at:start], shown)
        at = max(at, end)
    return "".join(parts) + text[at:]


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
