"""Plain text files: one document each, its text exactly as it stands in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from lacuna.corpus.formats.entries import Entry, entries_of
from lacuna.corpus.formats.registry import TEXT_SUFFIXES
from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.corpus.source_item import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Section, Span

GAP = re.compile(r"\n[ \t\r]*\n\s*")


def is_text(name: str) -> bool:
    """Whether a file name is that of a plain text."""
    return name.lower().endswith(TEXT_SUFFIXES)


def read_plain(path: Path) -> Iterator[SourceItem]:
    """The .txt files of a folder or archive, or one of them; the file name is the title."""
    empty = True
    for entry in entries_of(path, is_text):
        empty = False
        yield entry if isinstance(entry, Skipped) else _file(entry)
    if empty:
        raise LacunaError(f"{path} holds no text files (.txt). Give a folder that has some.")


def _file(entry: Entry) -> SourceItem:
    text = decoded(entry)
    if isinstance(text, Skipped):
        return text
    if not text.strip():
        return Skipped(entry.name, "it has no text")
    return verbatim_document(PurePosixPath(entry.name).stem, text)


def decoded(entry: Entry) -> str | Skipped:
    """The text of a file; one that is not UTF-8 is skipped, since guessing would spoil it."""
    try:
        text = entry.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Skipped(entry.name, f"byte {error.start} is not UTF-8; save the file as UTF-8")
    return Skipped(entry.name, "it is not text but binary data") if "\0" in text else text


def verbatim_document(
    title: str,
    text: str,
    links: tuple[Link, ...] = (),
    extra: Mapping[str, Any] | None = None,
) -> Document:
    """A document with exactly this text; empty lines separate its paragraphs."""
    paragraphs = tuple(_paragraphs(text))
    whole = (Section((title,), 0, len(text)),)
    sentences = sentence_spans(text, paragraphs)
    return Document(title, text, sentences, links, paragraphs, whole, extra or {})


def _paragraphs(text: str) -> Iterator[Span]:
    start = 0
    for end, following in chain((gap.span() for gap in GAP.finditer(text)), [(len(text),) * 2]):
        piece = text[start:end]
        if stripped := piece.strip():
            start += len(piece) - len(piece.lstrip())
            yield Span(start, start + len(stripped))
        start = following
