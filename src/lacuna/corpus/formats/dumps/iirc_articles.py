"""IIRC's ``context_articles.json``: one object of lower-case titles and HTML texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from lacuna.corpus.formats.apart.pieces import read_pieces
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.html.parse import html_document
from lacuna.corpus.formats.packed import open_packed_text
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped, SourceItem
from lacuna.corpus.titles import split_fragment
from lacuna.errors import shown
from lacuna.files.json_stream import JsonItems, Shape

ADDRESS = re.compile(r"[a-z]+://", re.IGNORECASE)


def read_iirc_articles(path: Path) -> Iterator[SourceItem]:
    """The articles, one by one; links lead to lower-case titles, as the articles have them."""
    return read_pieces(IIRC_ARTICLE, pieces_of_dump(path))


def pieces_of_dump(path: Path) -> Iterator[Entry | SourceItem]:
    """The articles before they are read."""
    with open_packed_text(path) as source:
        for item in JsonItems(source, Shape.MAP):
            title = item.key or ""
            if item.problem is not None:
                yield Skipped(title, str(item.problem))
            elif not isinstance(item.value, str):
                yield Skipped(title, f"expected a text, found {shown(item.value)}")
            else:
                yield Entry(title, item.value.encode(errors="surrogatepass"))


def _parse_article(entry: Entry) -> Iterator[Page | Skipped]:
    text = entry.data.decode(errors="surrogatepass")
    if "<p" not in text:
        text = text.replace("\n", "<p>")  # where no paragraph is marked, each line is one
    document = html_document(entry.name, text, _resolve)
    yield Page(entry.name, document) if document.text else Skipped(entry.name, "it has no text")


IIRC_ARTICLE = DocumentFormat("iirc article", parse=_parse_article)


def _resolve(href: str) -> tuple[str, str] | None:
    if ADDRESS.match(href):
        return None
    target, fragment = split_fragment(href)
    title = " ".join(unquote(target).replace("_", " ").split()).lower()
    return (title, fragment) if title else None
