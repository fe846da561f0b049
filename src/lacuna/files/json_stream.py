"""Read the items of a JSON file one at a time, in little memory.

The standard library's C scanner decodes one item after the other from a sliding window over the
text. Memory is bounded by the largest single item, not by the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from lacuna.errors import BadField, LacunaError
from lacuna.files import json_decode
from lacuna.files.json_decode import FORBIDDEN, decode, described
from lacuna.files.json_window import JsonWindow
from lacuna.files.opening import TextSource


class Shape(StrEnum):
    """How the items of a file are laid out."""

    LIST = "a list of items"
    LINES = "one item a line"
    DATA = 'an object whose "data" is a list of items'
    MAP = "an object with one item a key"
    TEXT = "plain text, one item a line"


@dataclass(slots=True)
class RawItem:
    """One item as it stands in the file; ``problem`` is set where its line is not JSON."""

    number: int
    value: Any
    key: str | None = None
    problem: BadField | None = None


@dataclass(slots=True)
class JsonItems:
    """The items of an open file, in order; iterate once.

    ``header`` holds what stands beside the items (SQuAD's ``version``); it is complete only
    when the iteration is.
    """

    source: TextSource
    shape: Shape
    header: dict[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[RawItem]:
        match self.shape:
            case Shape.TEXT:
                return _text_lines(self.source)
            case Shape.LINES:
                return line_items(self.source.lines(json_decode.LARGEST_VALUE))
            case Shape.LIST:
                return _elements(JsonWindow(self.source))
            case Shape.MAP:
                return _entries(JsonWindow(self.source))
            case Shape.DATA:
                return self._data(JsonWindow(self.source))

    def _data(self, window: JsonWindow) -> Iterator[RawItem]:
        seen = False
        for key, problem in window.entries():
            if key == "data" and window.peek() == "[":
                seen = True
                yield from _elements(window, last=False)
                continue
            try:
                self.header[key] = window.value(f"the value of {key!r}")
            except BadField as error:
                problem = BadField(key, error.expected, error.found)
            if problem is not None:
                raise LacunaError(f"{window.path}: {problem}. Mend the file or get it again.")
        window.end()
        if not seen:
            raise LacunaError(f'{window.path} has no list of items under "data". Is it whole?')


FIRST_FIELD = re.compile(r'\{\s*"([^"]*)"\s*:\s*(.)', re.DOTALL)
DATA_BEHIND_PLAIN_FIELDS = re.compile(r'\{[^{}\[\]]*"data"\s*:\s*\[')


def shape_of(source: TextSource) -> Shape:
    """How the items of a file are laid out, seen from its beginning and its name.

    One object alone may be a single line of items or an object that holds them all: its first
    fields tell.
    """
    head = source.head
    suffix = Path(source.path.name.removesuffix(".gz")).suffix
    if not head:
        raise LacunaError(f"{source.path} is empty. Is it the right file, and copied whole?")
    if suffix == ".txt":
        return Shape.TEXT
    if head[0] not in "[{":
        raise LacunaError(
            f"{source.path} begins with {head[0]!r}, which is not how JSON begins. "
            "Give a .json or .jsonl file, plain or gzipped."
        )
    if suffix == ".jsonl":
        return Shape.LINES
    if head[0] == "[":
        return Shape.LIST
    first = FIRST_FIELD.match(head)
    if DATA_BEHIND_PLAIN_FIELDS.match(head) or (first and first[1] in ("data", "version")):
        return Shape.DATA
    if first is None or (first[2] == "{" and first[1] != "question"):
        return Shape.MAP
    return Shape.LINES


def _elements(window: JsonWindow, *, last: bool = True) -> Iterator[RawItem]:
    window.take("[", "the beginning")
    number = 0
    if window.peek() == "]":
        window.take("]", "the end")
    else:
        while True:
            number += 1
            yield _item(window, number)
            if window.take(",]", f"after item {number}") == "]":
                break
    if last:
        window.end()


def _entries(window: JsonWindow) -> Iterator[RawItem]:
    seen: set[str] = set()
    for number, (key, problem) in enumerate(window.entries(), 1):
        item = _item(window, number, key)
        if problem is not None:
            item.problem = problem
        elif key in seen:
            item.problem = BadField(key, "every key once", "it a second time")
        seen.add(key)
        yield item
    window.end()


def _item(window: JsonWindow, number: int, key: str | None = None) -> RawItem:
    try:
        return RawItem(number, window.value(f"item {number}"), key)
    except BadField as problem:
        return RawItem(number, None, key, problem)


def line_items(lines: Iterable[str], first: int = 1) -> Iterator[RawItem]:
    """What the lines hold, where ``first`` is the number of the first; blank ones hold nothing."""
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            yield RawItem(number, decode(line))
        except BadField as problem:
            yield RawItem(number, None, problem=problem)
        except json.JSONDecodeError as error:
            yield RawItem(number, None, problem=BadField("line", "a JSON value", described(error)))
        except (RecursionError, ValueError) as error:
            yield RawItem(number, None, problem=BadField("line", "a JSON value", str(error)))


def _text_lines(source: TextSource) -> Iterator[RawItem]:
    for number, line in enumerate(source.lines(json_decode.LARGEST_VALUE), 1):
        text = line.removesuffix("\n")
        sign = FORBIDDEN.search(text)
        problem = BadField("line", "text without NUL", f"one at {sign.start()}") if sign else None
        yield RawItem(number, text, problem=problem)
