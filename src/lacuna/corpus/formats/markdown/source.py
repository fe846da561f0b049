"""Folders and archives of Markdown notes, with ``[text](path)`` and ``[[wiki links]]``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from lacuna.corpus.formats.entries import Entry, entries_of
from lacuna.corpus.formats.markdown.names import (
    NoteName,
    NoteNames,
    is_note,
    name_note,
    split_front_matter,
)
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.source_item import Redirect, Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document

HTML = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)
WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
ENDS_A_BLOCK = frozenset(
    ("paragraph_close", "heading_close", "tr_close", "list_item_close", "blockquote_close", "hr")
)


def read_markdown(path: Path) -> Iterator[SourceItem]:
    """The notes of a folder or archive; file names, paths and aliases become redirects.

    The files are read twice: a link can only be given its target's title once all are known.
    """
    names = NoteNames(
        name_note(entry.name, text)
        for entry in entries_of(path, is_note)
        if isinstance(entry, Entry) and isinstance(text := decoded(entry), str)
    )
    page = MarkdownPage(names)
    empty = True
    for entry in entries_of(path, is_note):
        empty = False
        if isinstance(entry, Skipped):
            yield entry
        else:
            yield from _note(entry, names, page)
    if empty:
        raise LacunaError(f"{path} holds no Markdown files (.md). Give a folder that has some.")


def _note(entry: Entry, names: NoteNames, page: MarkdownPage) -> Iterator[SourceItem]:
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    note = names.notes[entry.name]
    document = page.document(note, split_front_matter(text)[1])
    if not document.text:
        yield Skipped(entry.name, "it has no text")
        return
    yield document
    yield from (Redirect(name, note.title) for name in names.redirects(note))


class MarkdownPage:
    """Turns notes into documents; holds the parser, which is costly to make."""

    def __init__(self, names: NoteNames) -> None:
        self._names = names
        self._parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        self._parser.inline.ruler.before("link", "wiki_link", _wiki_link)

    def document(self, note: NoteName, text: str) -> Document:
        """One note."""
        builder = PageBuilder(note.title)
        for token in self._parser.parse(text):
            self._block(builder, note.path, token)
        return builder.document()

    def _block(self, builder: PageBuilder, page: str, token: Token) -> None:
        match token.type:
            case "inline":
                self._inline(builder, page, token.children or [])
            case "heading_open":
                builder.open_heading(int(token.tag[1]))
            case "td_open" | "th_open":
                builder.begin_cell()
            case "fence" | "code_block":
                builder.end_block()
                builder.add_verbatim(token.content)
                builder.end_block()
            case "html_block":
                builder.end_block()
                builder.add(HTML.sub(" ", token.content))
                builder.end_block()
            case kind if kind in ENDS_A_BLOCK:
                builder.end_block()

    def _inline(self, builder: PageBuilder, page: str, tokens: Sequence[Token]) -> None:
        for token in tokens:
            match token.type:
                case "text" | "code_inline":
                    builder.add(token.content)
                case "softbreak":
                    builder.add(" ")
                case "hardbreak":
                    builder.break_line()
                case "html_inline" if token.content.lower().startswith("<br"):
                    builder.break_line()
                case "link_open":
                    target = self._names.by_path(page, str(token.attrs.get("href", "")))
                    if target:
                        builder.open_link(*target)
                case "link_close":
                    builder.close_link()
                case "wiki_link":
                    self._wiki_link(builder, page, token)

    def _wiki_link(self, builder: PageBuilder, page: str, token: Token) -> None:
        name, _, fragment = token.content.partition("#")
        if name.strip():
            builder.open_link(*self._names.by_name(token.content))
        else:
            builder.open_link(self._names.notes[page].title, fragment.strip().lstrip("^"))
        builder.add(token.info or name.strip() or fragment.strip())
        builder.close_link()


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """``[[target#heading|alias]]``; an embedded note or picture, ``![[…]]``, shows no text."""
    if state.src[state.pos] not in "[!" or not (link := WIKI_LINK.match(state.src, state.pos)):
        return False
    if not silent and not link[1]:
        token = state.push("wiki_link", "", 0)
        token.content = link[2]
        token.info = (link[3] or "").strip()
    state.pos = link.end()
    return True
