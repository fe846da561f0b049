"""A file of reStructuredText as a page."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import decoded, verbatim_page
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.titles import title_of_path

LARGEST = 2 << 20
"""Bytes that docutils is given: it reads some hundred kilobytes a second."""


def parse_rst(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that a file makes; what would take docutils too long is read as it is."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    if find_spec("docutils") is None:
        reason = "it needs docutils; install it with: pip install 'lacuna-qa[documents]'"
        yield Skipped(entry.name, reason)
        return
    if not text.strip():
        yield Skipped(entry.name, "it has no text")
        return
    from lacuna.corpus.formats.rst.docutils_page import docutils_page

    title = title_of_path(entry.name)
    page = docutils_page(entry.name, title, text) if len(text) <= LARGEST else None
    page = page or verbatim_page(entry.name, title, text)
    yield page if page.document.text else Skipped(entry.name, "it has no text")
