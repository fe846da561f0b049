"""The context that a question is asked about, from a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lacuna.corpus.formats.entries import Entry, entries_of
from lacuna.corpus.formats.plain import decoded, is_text, verbatim_document
from lacuna.corpus.formats.registry import all_formats
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
    named = (known for known in all_formats() if known.pages and known.is_named(path.name))
    if not is_text(path.name) and (page_format := next(named, None)):
        yield from page_format.read(path)
        return
    for entry in entries_of(path, bool):
        text = entry if isinstance(entry, Skipped) else decoded(entry)
        yield text if isinstance(text, Skipped) else _plain(path, text)


def _plain(path: Path, text: str) -> SourceItem:
    return verbatim_document(path.stem, text) if text.strip() else Skipped(path.name, "it is empty")
