"""MediaWiki XML dumps, plain or compressed, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lacuna.corpus.formats.mediawiki_xml import DumpPage, DumpParser
from lacuna.corpus.formats.packed import DAMAGED, damaged, open_packed
from lacuna.corpus.formats.titles import split_fragment, wiki_title
from lacuna.corpus.formats.wikitext import WikitextReader
from lacuna.corpus.found import Found, Redirect, Skipped

CHUNK = 1 << 18
ARTICLES = frozenset({0})


def read_mediawiki(path: Path, *, namespaces: frozenset[int] = ARTICLES) -> Iterator[Found]:
    """The pages of a dump in the given namespaces; those of others are skipped and counted.

    Redirects are given from all namespaces: they cost nothing, and shortcuts lead to articles.
    """
    parser = DumpParser(path)
    reader: WikitextReader | None = None
    for page in _pages(path, parser):
        reader = reader or WikitextReader(parser.file_namespaces, parser.namespaces)
        yield _found(page, namespaces, reader)


def _pages(path: Path, parser: DumpParser) -> Iterator[DumpPage]:
    try:
        with open_packed(path) as file:
            while chunk := file.read(CHUNK):
                yield from parser.feed(chunk)
    except DAMAGED as error:
        raise damaged(path, error) from error
    yield from parser.close()


def _found(page: DumpPage, namespaces: frozenset[int], reader: WikitextReader) -> Found:
    if not page.title.strip():
        return Skipped("a page without a title", "nothing could lead to it")
    if page.redirect is not None:
        target, fragment = split_fragment(page.redirect)
        return Redirect(page.title, wiki_title(target), fragment)
    if page.namespace not in namespaces:
        return Skipped(page.title, f"it is in namespace {page.namespace}")
    if page.problem:
        return Skipped(page.title, page.problem)
    document = reader.document(page.title, page.text)
    return document if document.text else Skipped(page.title, "it has no text")
