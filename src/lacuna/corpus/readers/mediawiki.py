"""MediaWiki XML dumps, plain or compressed, page by page."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lacuna.corpus.found import Found, Redirect, Skipped
from lacuna.corpus.readers.mediawiki_xml import DumpPage, DumpParser
from lacuna.corpus.readers.titles import split_fragment, wiki_title
from lacuna.corpus.readers.wikitext import WikitextReader
from lacuna.errors import LacunaError

CHUNK = 1 << 18
SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
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


def open_packed(path: Path) -> IO[bytes]:
    """A file opened for its content; how it is compressed is seen from its first bytes."""
    with path.open("rb") as file:
        head = file.read(6)
    if head == SEVEN_ZIP:
        raise LacunaError(
            f"{path} is a 7z archive, which cannot be read as a stream here. "
            f"Unpack it first (7z x {path.name}) and give the .xml file, or take the .bz2 dump."
        )
    if head.startswith(b"BZh"):
        return bz2.open(path)
    if head.startswith(b"\x1f\x8b"):
        return gzip.open(path)  # type: ignore[return-value]
    if head.startswith(b"\xfd7zXZ"):
        return lzma.open(path)
    return path.open("rb")


def _pages(path: Path, parser: DumpParser) -> Iterator[DumpPage]:
    try:
        with open_packed(path) as file:
            while chunk := file.read(CHUNK):
                yield from parser.feed(chunk)
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        raise LacunaError(
            f"{path} cannot be read to its end ({error}); it is cut off or damaged. "
            "Download it again; the pages before that place were read."
        ) from error
    yield from parser.close()


def _found(page: DumpPage, namespaces: frozenset[int], reader: WikitextReader) -> Found:
    if page.redirect is not None:
        target, fragment = split_fragment(page.redirect)
        return Redirect(page.title, wiki_title(target), fragment)
    if page.namespace not in namespaces:
        return Skipped(page.title, f"it is in namespace {page.namespace}")
    if page.problem:
        return Skipped(page.title, page.problem)
    document = reader.document(page.title, page.text)
    return document if document.text else Skipped(page.title, "it has no text")
