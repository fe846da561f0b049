"""Read the items of a JSON file one at a time, in little memory.

The standard library's C scanner decodes one item after the other from a sliding window over the
text. Memory is bounded by the largest single item, not by the file.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.opening import TextSource

CHUNK = 1 << 20
LARGEST_VALUE = 64 << 20
"""Characters that one item may have; a longer one is a mistake, and would fill the memory."""

LONGEST_TOKEN = 16
"""Characters that a literal or an escape may have; one at the window's end may be cut in two."""

SPACE = re.compile(r"[ \t\n\r]*")
SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
MAY_GO_ON = frozenset(["", *"0123456789.eE+-"])
FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


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
        path, text = self.source.path, self.source.text
        match self.shape:
            case Shape.TEXT:
                return _text_lines(self.source)
            case Shape.LINES:
                return _lines(self.source)
            case Shape.LIST:
                return _elements(_Window(path, text))
            case Shape.MAP:
                return _entries(_Window(path, text))
            case Shape.DATA:
                return self._data(_Window(path, text))

    def _data(self, window: _Window) -> Iterator[RawItem]:
        seen = False
        for key in window.entries():
            if key == "data" and window.peek() == "[":
                seen = True
                yield from _elements(window, last=False)
            else:
                self.header[key] = window.value(f"the value of {key!r}")
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


def decode_whole(source: TextSource) -> Any:
    """The one value that a file holds; a key that an object has twice is an error."""
    path, text = source.path, source.text.read(LARGEST_VALUE + 1)
    if len(text) > LARGEST_VALUE:
        raise LacunaError(
            f"{path} is longer than {LARGEST_VALUE >> 20} million characters, too long for a "
            "file of predictions. Is it the right file?"
        )
    try:
        value = DECODER.decode(text.strip())
        check_text(value, text, 0, len(text))
    except json.JSONDecodeError as error:
        problem = f"{error.msg.lower()} at character {error.pos}"
        raise LacunaError(
            f"{path} is not valid JSON: {problem}. Mend it or make it again."
        ) from None
    except RecursionError:
        raise LacunaError(f"{path} is not valid JSON: it is nested too deeply.") from None
    except BadField as error:
        raise LacunaError(f"{path}: {error}. Mend it or make it again.") from None
    except ValueError as error:
        raise LacunaError(f"{path} is not valid JSON: {error}. Mend it or make it again.") from None
    return value


def decode(text: str) -> Any:
    """One JSON value from a text that must hold nothing else."""
    value = DECODER.decode(text)
    check_text(value, text, 0, len(text))
    return value


def check_text(value: Any, source: str, start: int, end: int) -> None:
    """Refuse NUL characters and half surrogates, which no file could give back.

    ``source[start:end]`` is the JSON text of the value: only where it holds a suspicious escape
    is the value walked through.
    """
    if SUSPECT_ESCAPE.search(source, start, end):
        _walk(value, "")


def _walk(value: Any, where: str) -> None:
    if isinstance(value, str):
        if found := FORBIDDEN.search(value):
            name = "a NUL character" if found[0] == "\x00" else "half of a surrogate pair"
            raise BadField(where or "item", "text without it", f"{name} at {found.start()}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _walk(key, where)
            _walk(inner, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _walk(inner, f"{where}[{index}]")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number that JSON has")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{shown(digits)} is too large for a number")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadField(twice, "every key once", "it a second time")
    return found


LENIENT_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)
DECODER = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unique
)


class _Window:
    """A sliding view of the text that grows until the value at hand fits in it."""

    def __init__(self, path: Path, text: TextIO) -> None:
        self.path = path
        self._text = text
        self._window = ""
        self._at = 0
        self._gone = 0  # characters before the window
        self._ended = False

    def peek(self) -> str:
        """The next character that is not space; empty at the end."""
        while True:
            self._at = SPACE.match(self._window, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._window):
                return self._window[self._at]
            if self._ended:
                return ""
            self._grow(CHUNK)

    def take(self, allowed: str, where: str) -> str:
        """Step over one of the characters allowed here."""
        found = self.peek()
        if not found or found not in allowed:
            wanted = " or ".join(repr(character) for character in allowed)
            raise self.broken(where, f"expected {wanted}, found {_character(found)}")
        self._at += 1
        return found

    def value(self, where: str) -> Any:
        """Decode the value that starts here and step over it."""
        self.peek()
        step = CHUNK
        while True:
            failure = ""
            try:
                value, end = DECODER.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                failure = f"{error.msg.lower()} at character {self._gone + error.pos}"
                if not self._may_be_cut_off(error):
                    raise self.broken(where, failure) from None
            except BadField:
                # A key stands twice. Step over the value all the same, to go on behind it.
                try:
                    _, self._at = LENIENT_DECODER.raw_decode(self._window, self._at)
                except json.JSONDecodeError as error:
                    failure = error.msg.lower()
                else:
                    raise
            except RecursionError:
                raise self.broken(where, "it is nested too deeply") from None
            except ValueError as error:
                raise self.broken(where, str(error)) from None
            else:
                # A number at the end of the window may go on in the next chunk.
                if self._ended or self._window[end : end + 1] not in MAY_GO_ON:
                    start, self._at = self._at, end
                    check_text(value, self._window, start, end)
                    return value
            if self._ended:
                raise self.broken(where, failure)
            left = LARGEST_VALUE - (len(self._window) - self._at)
            if left <= 0:
                length = f"it is longer than {LARGEST_VALUE >> 20} million characters"
                raise self.broken(where, f"{length} ({failure})" if failure else length)
            self._grow(min(step, left))
            step *= 2  # so that decoding again costs at most twice the value

    def _may_be_cut_off(self, error: json.JSONDecodeError) -> bool:
        """Whether more text could mend it: the error is at the window's end, or a text is open."""
        return error.msg.startswith("Unterminated") or error.pos > len(self._window) - LONGEST_TOKEN

    def entries(self) -> Iterator[str]:
        """The keys of the object that starts here; read each value before the next key."""
        self.take("{", "the beginning")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise self.broken("a key", f"expected a text, found {_character(self.peek())}")
            key = self.value("a key")
            self.take(":", f"key {key!r}")
            yield key
            if self.take(",}", f"after {key!r}") == "}":
                return

    def end(self) -> None:
        """Nothing may follow."""
        if found := self.peek():
            hint = ""
            if found in "{[":
                hint = "; if each line is an item of its own, name the file .jsonl"
            raise self.broken("the end", f"more follows after the last bracket{hint}")

    def broken(self, where: str, problem: str) -> LacunaError:
        """The error for text that is not JSON."""
        return LacunaError(
            f"{self.path} is not valid JSON: {where}, near character {self._gone + self._at}: "
            f"{problem}. Nothing after it can be read; mend the file or get it again."
        )

    def _grow(self, size: int) -> None:
        more = self._text.read(size)
        self._ended = not more
        self._gone += self._at
        self._window = self._window[self._at :] + more
        self._at = 0


def _elements(window: _Window, *, last: bool = True) -> Iterator[RawItem]:
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


def _entries(window: _Window) -> Iterator[RawItem]:
    seen: set[str] = set()
    for number, key in enumerate(window.entries(), 1):
        item = _item(window, number, key)
        if key in seen:
            item.problem = BadField(key, "every key once", "it a second time")
        seen.add(key)
        yield item
    window.end()


def _item(window: _Window, number: int, key: str | None = None) -> RawItem:
    try:
        return RawItem(number, window.value(f"item {number}"), key)
    except BadField as problem:
        return RawItem(number, None, key, problem)


def _lines(source: TextSource) -> Iterator[RawItem]:
    for number, line in enumerate(source.lines(LARGEST_VALUE), 1):
        if not line.strip():
            continue
        try:
            yield RawItem(number, decode(line))
        except BadField as problem:
            yield RawItem(number, None, problem=problem)
        except json.JSONDecodeError as error:
            where = f"{error.msg.lower()} at character {error.pos}"
            yield RawItem(number, None, problem=BadField("line", "a JSON value", where))
        except (RecursionError, ValueError) as error:
            yield RawItem(number, None, problem=BadField("line", "a JSON value", str(error)))


def _text_lines(source: TextSource) -> Iterator[RawItem]:
    for number, line in enumerate(source.lines(LARGEST_VALUE), 1):
        text = line.removesuffix("\n")
        found = FORBIDDEN.search(text)
        problem = BadField("line", "text without NUL", f"one at {found.start()}") if found else None
        yield RawItem(number, text, problem=problem)


def _character(found: str) -> str:
    return repr(found) if found else "the end of the file"
