"""The context that a question is asked about, from a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lacuna.corpus.formats.apart.reading import ApartReading
from lacuna.corpus.formats.entries import Entry, single_file
from lacuna.corpus.formats.plain import decoded, verbatim_document
from lacuna.corpus.formats.registry import get_format, page_formats, page_suffixes
from lacuna.corpus.pages.linking import from_root, linked_pages
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.files.opening import similar
from lacuna.types import Document


def context_from(path: Path) -> Document:
    """A page (Markdown, HTML) with its links; a file of no page format is read as plain text."""
    if path.is_dir():
        raise LacunaError(
            f"{path} is a folder, and a context is one file. Give the folder as the corpus."
        )
    if not path.exists():
        raise LacunaError(f"There is no file {path}.{similar(path)}")
    for item in _read(path):
        if isinstance(item, Document):
            return item
        if isinstance(item, Skipped):
            raise LacunaError(f"{path} cannot be asked: {item.reason}.")
    raise LacunaError(f"{path} cannot be asked: it has no text.")


def context_of(title: str, data: bytes) -> Document:
    """Bytes that came some other way, such as standard input, as plain text."""
    text = decoded(Entry(title, data))
    if isinstance(text, Skipped):
        raise LacunaError(f"The {title} cannot be asked: {text.reason}.")
    if not text.strip():
        raise LacunaError(f"The {title} cannot be asked: it has no text.")
    return verbatim_document(title, text)


def _read(path: Path) -> Iterator[SourceItem]:
    file = single_file(path)
    if isinstance(file, Skipped):
        yield file
        return
    named = next((known for known in page_formats() if known.is_named(path.name)), None)
    known = named or get_format("text")
    entry = file.load(known.largest)
    pages: list[Page] = []
    for item in (entry,) if isinstance(entry, Skipped) else ApartReading(known, entry).items():
        if isinstance(item, Skipped):
            yield item
        else:
            pages.append(from_root(item, str(path.resolve())))
    yield from linked_pages(pages, page_suffixes())
