"""HotpotQA's Wikipedia dumps: JSON lines of sentences, with links as HTML anchors.

Sentences stay as the dump has them, space and all: supporting facts count them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lacuna.corpus.formats.dumps.jsonl import field_of_text, item_of_line
from lacuna.corpus.formats.entries import paths_in
from lacuna.corpus.formats.packed import open_packed_text
from lacuna.corpus.formats.plain import verbatim_document
from lacuna.corpus.source_item import SourceItem
from lacuna.corpus.titles import split_fragment, wiki_title
from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.json_stream import JsonItems, Shape
from lacuna.types import Document, Link, Section, Span

ANCHOR = re.compile(r'<a href="([^"<>]*)">([^<>]*)</a>')
TAG = re.compile(r"</?a\b[^<>]*>")
SUFFIXES = (".bz2", ".jsonl", ".jsonl.gz", ".json")
EXTRA = ("id", "_id", "url", "metadata")


def is_dump_part(name: str) -> bool:
    """Whether a file in the folder of a dump is a part of it."""
    return name.lower().endswith(SUFFIXES)


def read_hotpot_abstracts(path: Path) -> Iterator[SourceItem]:
    """The articles of a dump: one file, or a folder of ``wiki_00.bz2`` and the like."""
    for part in parts_of_dump(path):
        with open_packed_text(part) as source:
            for item in JsonItems(source, Shape.LINES):
                yield item_of_line(part.name, item, document_of_line)


def parts_of_dump(path: Path) -> Iterator[Path]:
    """The files of a dump."""
    empty = True
    for part in paths_in(path, is_dump_part) if path.is_dir() else iter((path,)):
        empty = False
        yield part
    if empty:
        raise LacunaError(f"{path} holds no .bz2 or .jsonl files. Give the folder of the dump.")


def document_of_line(value: dict[str, Any]) -> Document:
    """What one line becomes."""
    title = unescape(field_of_text(value, "title"))
    extra = {name: value[name] for name in EXTRA if name in value}
    written = value.get("text_with_links") or value.get("sentences") or value.get("text")
    if isinstance(written, str):
        return verbatim_document(title, written, (), extra)
    if not isinstance(written, list):
        raise BadField("text", "a list of sentences", shown(written))
    paragraphs = written if written and isinstance(written[0], list) else [written]
    if paragraphs and paragraphs[0] == [title] and len(paragraphs) > 1:
        paragraphs = paragraphs[1:]  # the full dumps begin with the title
    return _Sentences(title).document(paragraphs, extra)


class _Sentences:
    """Joins sentences to a text and keeps where each of them, and each link, came to stand."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._parts: list[str] = []
        self._size = 0
        self._links: list[Link] = []

    def document(self, paragraphs: list[Any], extra: dict[str, Any]) -> Document:
        sentences: list[Span] = []
        spans: list[Span] = []
        for number, paragraph in enumerate(paragraphs):
            if not isinstance(paragraph, list):
                raise BadField(f"text[{number}]", "a list of sentences", shown(paragraph))
            if self._size:
                self._put("\n\n")
            start = self._size
            for sentence in paragraph:
                if not isinstance(sentence, str):
                    raise BadField(f"text[{number}]", "sentences", shown(sentence))
                before = self._size
                self._add(sentence)
                sentences.append(Span(before, self._size))
            spans.append(Span(start, self._size))
        whole = (Section((self._title,), 0, self._size),)
        text = "".join(self._parts)
        links = tuple(self._links)
        return Document(self._title, text, tuple(sentences), links, tuple(spans), whole, extra)

    def _add(self, sentence: str) -> None:
        at = 0
        for anchor in ANCHOR.finditer(sentence):
            self._put(TAG.sub("", sentence[at : anchor.start()]))
            at = anchor.end()
            start = self._size
            self._put(anchor[2])
            target, fragment = split_fragment(unquote(unescape(anchor[1])))
            if (title := wiki_title(target)) and self._size > start:
                self._links.append(Link(start, self._size, title, fragment))
        self._put(TAG.sub("", sentence[at:]))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)
