"""The passage that a question is asked of, from a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lacuna.corpus.formats import open_source
from lacuna.corpus.formats.detect import MARKDOWN
from lacuna.corpus.formats.entries import Entry, entries_of
from lacuna.corpus.formats.html_links import is_page
from lacuna.corpus.formats.plain import decoded, verbatim_document
from lacuna.corpus.found import Found, Skipped
from lacuna.errors import LacunaError
from lacuna.files.opening import similar
from lacuna.types import Document


def passage_from(path: Path) -> Document:
    """A Markdown or HTML file with its links; any other file is read as plain text."""
    if path.is_dir():
        raise LacunaError(f"{path} is a folder, and a passage is one file. Ask it as a corpus.")
    if not path.exists():
        raise LacunaError(f"There is no file {path}.{similar(path)}")
    for found in _read(path):
        if isinstance(found, Document):
            return found
        if isinstance(found, Skipped):
            raise LacunaError(f"{path} cannot be asked: {found.reason}.")
    raise LacunaError(f"{path} cannot be asked: it has no text.")


def passage_of(title: str, data: bytes) -> Document:
    """Bytes that came some other way, such as standard input, as plain text."""
    text = decoded(Entry(title, data))
    if isinstance(text, Skipped):
        raise LacunaError(f"The {title} cannot be asked: {text.reason}.")
    if not text.strip():
        raise LacunaError(f"The {title} cannot be asked: it has no text.")
    return verbatim_document(title, text)


def _read(path: Path) -> Iterator[Found]:
    name = path.name.lower()
    if name.endswith(MARKDOWN):
        yield from open_source(path, "markdown")
    elif is_page(name):
        yield from open_source(path, "html")
    else:
        for entry in entries_of(path, bool):
            text = entry if isinstance(entry, Skipped) else decoded(entry)
            yield text if isinstance(text, Skipped) else _plain(path, text)


def _plain(path: Path, text: str) -> Found:
    return verbatim_document(path.stem, text) if text.strip() else Skipped(path.name, "it is empty")
