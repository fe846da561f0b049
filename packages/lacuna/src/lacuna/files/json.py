"""JSON, read strictly and item by item, and written item by item."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.opening import TextSource

LARGEST_VALUE = 64 << 20
"""Characters that one item may have; a longer one is a mistake, and would fill the memory."""

SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


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
        problem = described(error)
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


def described(error: json.JSONDecodeError, before: int = 0) -> str:
    """An error in some JSON, and its place, if ``before`` characters stand ahead of it."""
    return f"{error.msg.lower().removesuffix(' at')} at character {before + error.pos}"


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
        if sign := FORBIDDEN.search(value):
            name = "a NUL character" if sign[0] == "\x00" else "half of a surrogate pair"
            raise BadField(where or "item", "text without it", f"{name} at {sign.start()}")
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
    unique = dict(pairs)
    if len(unique) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadField(twice, "every key once", "it a second time")
    return unique


LENIENT_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)
DECODER = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unique
)


CHUNK = 1 << 20
LONGEST_TOKEN = 16
"""Characters that a literal or an escape may have; one at the window's end may be cut in two."""

SPACE = re.compile(r"[ \t\n\r]*")
MAY_GO_ON = frozenset(["", *"0123456789.eE+-"])


class JsonWindow:
    """A sliding view of the text that grows until the value at hand fits in it."""

    def __init__(self, source: TextSource) -> None:
        self.path = source.path
        self._text = source.text
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
        sign = self.peek()
        if not sign or sign not in allowed:
            wanted = " or ".join(repr(character) for character in allowed)
            raise self.broken(where, f"expected {wanted}, found {_character(sign)}")
        self._at += 1
        return sign

    def value(self, where: str) -> Any:
        """Decode the value that starts here and step over it."""
        self.peek()
        step = CHUNK
        while True:
            failure = ""
            try:
                value, end = DECODER.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                failure = described(error, self._gone)
                if not self._may_be_cut_off(error):
                    raise self.broken(where, failure) from None
            except BadField:
                # A key stands twice. Step over the value all the same, to go on behind it.
                try:
                    _, self._at = LENIENT_DECODER.raw_decode(self._window, self._at)
                except json.JSONDecodeError as error:
                    failure = described(error, self._gone)
                except RecursionError:
                    raise self.broken(where, "it is nested too deeply") from None
                except ValueError as error:
                    raise self.broken(where, str(error)) from None
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
        """Tell if more text could mend it: the error is at the window's end, or a text is open."""
        return error.msg.startswith("Unterminated") or error.pos > len(self._window) - LONGEST_TOKEN

    def entries(self) -> Iterator[tuple[str, BadField | None]]:
        """The keys of the object that starts here, and what is wrong with a key, if anything is;
        read each value before the next key."""
        self.take("{", "the beginning")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise self.broken("a key", f"expected a text, found {_character(self.peek())}")
            problem = None
            try:
                key = self.value("a key")
            except BadField as error:
                key, problem = "", BadField("key", error.expected, error.found)
            self.take(":", f"key {key!r}")
            yield key, problem
            if self.take(",}", f"after {key!r}") == "}":
                return

    def end(self) -> None:
        """Nothing may follow."""
        if sign := self.peek():
            hint = ""
            if sign in "{[":
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


def _character(sign: str) -> str:
    return repr(sign) if sign else "the end of the file"


# Read the items of a JSON file one at a time, in little memory.
#
# The standard library's C scanner decodes one item after the other from a sliding window over the
# text. Memory is bounded by the largest single item, not by the file.


class Shape(StrEnum):
    """The layout of the items of a file."""

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
                return line_items(self.source.lines(LARGEST_VALUE))
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
    """The layout of the items of a file, judged by its beginning and its name.

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
    """The items of the lines, where ``first`` is the number of the first; blank ones hold
    nothing."""
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
    for number, line in enumerate(source.lines(LARGEST_VALUE), 1):
        text = line.removesuffix("\n")
        sign = FORBIDDEN.search(text)
        problem = BadField("line", "text without NUL", f"one at {sign.start()}") if sign else None
        yield RawItem(number, text, problem=problem)


Encoded = tuple[str | None, Any]
"""An item ready to be written, and its key where the file is an object."""


def write_items(
    out: TextIO, items: Iterable[Encoded], shape: Shape, header: Mapping[str, Any]
) -> None:
    """Write a whole file in the given shape; each item stands on a line of its own.

    ``header`` is looked at last, so it may be filled while the items are made.
    """
    if shape in (Shape.LINES, Shape.TEXT):
        for _, value in items:
            out.write(f"{value if shape is Shape.TEXT else dump(value)}\n")
        return
    before, after = {
        Shape.LIST: ("[", "]"),
        Shape.MAP: ("{", "}"),
        Shape.DATA: ('{"data": [', "]"),
    }[shape]
    out.write(before)
    separator = "\n"
    written: set[str | None] = set()
    for key, value in items:
        if shape is Shape.MAP and key in written:
            raise LacunaError(
                f"Two items have the id {key!r}, and an object can hold only one of them. "
                "Give them ids of their own."
            )
        written.add(key)
        out.write(separator + (f"{dump(key)}: " if shape is Shape.MAP else "") + dump(value))
        separator = ",\n"
    out.write("\n" + after)
    if shape is Shape.DATA:
        for name, value in header.items():
            out.write(f",\n{dump(name)}: {dump(value)}")
        out.write("}")
    out.write("\n")


def dump(value: Any) -> str:
    """One JSON value on one line; refuses NaN, which JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
