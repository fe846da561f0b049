"""JSON lines with a title, a text and perhaps links; the text stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lacuna.corpus.formats.packed import open_packed_text
from lacuna.corpus.formats.plain import verbatim_document
from lacuna.corpus.source_item import Skipped, SourceItem
from lacuna.errors import BadField, shown
from lacuna.files.json_stream import JsonItems, RawItem, Shape
from lacuna.types import Document, Link

OWN_FIELDS = frozenset(("title", "text", "links"))


def read_jsonl(path: Path) -> Iterator[SourceItem]:
    """One document a line: ``{"title": …, "text": …, "links": [{"start", "end", "target"}]}``."""
    with open_packed_text(path) as source:
        for item in JsonItems(source, Shape.LINES):
            yield item_of_line(path.name, item, document_of_line)


def item_of_line(
    file: str, item: RawItem, build: Callable[[dict[str, Any]], Document], unit: str = "line"
) -> SourceItem:
    """What one line gives; a line that is not as it should be is skipped."""
    where = f"{file}, {unit} {item.number}"
    try:
        if item.problem is not None:
            raise item.problem
        if not isinstance(item.value, dict):
            raise BadField(unit, "an object", shown(item.value))
        document = build(item.value)
    except BadField as problem:
        return Skipped(where, str(problem))
    return document if document.text.strip() else Skipped(where, "it has no text")


def field_of_text(value: dict[str, Any], name: str) -> str:
    """A field that must be a text."""
    if not isinstance(text := value.get(name), str):
        raise BadField(name, "a text", shown(text))
    return text


def document_of_line(value: dict[str, Any]) -> Document:
    """What one line becomes."""
    title, text = field_of_text(value, "title"), field_of_text(value, "text")
    if not title.strip():
        raise BadField("title", "a title", "an empty text")
    written = value.get("links") or []
    if not isinstance(written, list):
        raise BadField("links", "a list", shown(written))
    links = tuple(_link(link, f"links[{number}]", text) for number, link in enumerate(written))
    extra = {name: value for name, value in value.items() if name not in OWN_FIELDS}
    return verbatim_document(title, text, links, extra)


def _link(value: Any, where: str, text: str) -> Link:
    match value:
        case {"start": int(start), "end": int(end), "target": str(target)} if target.strip():
            if not 0 <= start < end <= len(text):
                raise BadField(where, f"a place in {len(text)} characters", f"{start} to {end}")
            return Link(start, end, target, str(value.get("fragment") or ""))
        case _:
            raise BadField(where, "an object with start, end and target", shown(value))
