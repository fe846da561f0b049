"""Markdown files: one page each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise
from pathlib import PurePosixPath

from markdown_it.token import Token

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.markdown.front_matter import FrontMatter, split_front_matter
from lacuna.corpus.formats.markdown.inline_text import inline_words
from lacuna.corpus.formats.markdown.prepare import prepare
from lacuna.corpus.formats.markdown.syntax import markdown_parser
from lacuna.corpus.formats.markdown.writer import MarkdownWriter
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.pages.facts import Fact, add_facts
from lacuna.corpus.pages.page import Page
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.titles import FOLDER_PAGES

OTHER_NAMES = ("aliases", "alias", "permalink", "slug", "url", "id", "linktitle")
LONGEST_TITLE = 500
HTML_HEADING = re.compile(r"<h1\b[^<>]*>", re.IGNORECASE)
END_OF_HEADING = re.compile(r"</h1>", re.IGNORECASE)
LONGEST_HEADING = 5000
TAGS = re.compile(r"<[^<>]*>")


def parse_markdown(entry: Entry) -> Iterator[Page | Skipped]:
    """A note as a page: its text, and below it what its front matter says."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    note = split_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    tokens, numbers = markdown_tokens(note.body, note.line, mdx=entry.name.lower().endswith(".mdx"))
    heading = main_heading(tokens)
    given = next(note.values("title"), "")[:LONGEST_TITLE]
    builder = PageBuilder(given or heading or title_of_file(entry.name))
    MarkdownWriter(builder).write(tokens, numbers)
    fields = (field for field in note.fields if field.key.lower() != "title")
    add_facts(builder, (Fact(field.key, field.text, field.line) for field in fields))
    page = builder.page(entry.name, names=_other_names(note, given, heading))
    yield page if page.document.text else Skipped(entry.name, "it has no text")


def markdown_tokens(
    text: str, first: int = 1, *, mdx: bool = False
) -> tuple[list[Token], list[int]]:
    """A text as the parser sees it, and where each line of that stands; ``first`` is its first."""
    prepared, numbers = prepare(text, first)
    return markdown_parser(mdx=mdx).parse(prepared), numbers


def main_heading(tokens: Sequence[Token]) -> str:
    """The words of the first main heading, else of a lesser one that the text begins with."""
    lesser, begun = "", False
    for token, inside in pairwise(tokens):
        words = ""
        if token.type == "heading_open" and token.tag == "h1":
            words = inline_words(inside.children or [])
        elif token.type == "heading_open" and not begun:
            lesser = inline_words(inside.children or [])
        elif token.type == "html_block":
            words = _html_heading(token.content)
        if words:
            return words[:LONGEST_TITLE]
        begun = begun or token.type != "html_block"
    return lesser[:LONGEST_TITLE]


def _html_heading(html: str) -> str:
    begin = HTML_HEADING.search(html)
    end = begin and END_OF_HEADING.search(html, begin.end(), begin.end() + LONGEST_HEADING)
    if not begin or not end:
        return ""
    return " ".join(unescape(TAGS.sub(" ", html[begin.end() : end.start()])).split())


def title_of_file(name: str) -> str:
    """What a page without a title is called: its file, or its folder if it speaks for that.

    >>> title_of_file("guide/Setup.md"), title_of_file("guide/_index.md")
    ('Setup', 'guide')
    """
    path = PurePosixPath(name)
    if path.stem.casefold() in FOLDER_PAGES and path.parent.name:
        return path.parent.name
    return path.stem or name


def _other_names(note: FrontMatter, given: str, heading: str) -> Iterator[str]:
    names = [name.strip() for name in note.values(*OTHER_NAMES)]
    if given and heading != given:
        names.append(heading)
    yield from dict.fromkeys(name for name in names if name)
