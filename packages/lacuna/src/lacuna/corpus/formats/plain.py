"""Plain text files: one document each, its text exactly as it stands in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import sentence_spans
from lacuna.corpus.store import Skipped
from lacuna.places import Origin
from lacuna.types import Document, Link, Section, Span

GAP = re.compile(r"\n[ \t\r]*\n\s*")


def parse_plain(entry: Entry) -> Iterator[Page | Skipped]:
    """A text file as a page; the file name is the title."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
    elif not text.strip():
        yield Skipped(entry.name, "it has no text")
    else:
        yield verbatim_page(entry.name, PurePosixPath(entry.name).stem, text)


def verbatim_page(file: str, title: str, text: str) -> Page:
    """A page with exactly this text, and the lines that its paragraphs stand on."""
    document = verbatim_document(title, text)
    marks: list[tuple[int, int]] = []
    line, counted = 1, 0
    for start, _ in document.sentences:
        line += text.count("\n", counted, start)
        counted = start
        marks.append((start, line))
    return Page(file, replace(document, origin=Origin(file, marks=tuple(marks))))


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
