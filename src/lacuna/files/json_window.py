"""Decode one JSON value after the other from a text that need not fit in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lacuna.errors import BadField, LacunaError
from lacuna.files import json_decode
from lacuna.files.json_decode import DECODER, LENIENT_DECODER, check_text, described
from lacuna.files.opening import TextSource

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
            left = json_decode.LARGEST_VALUE - (len(self._window) - self._at)
            if left <= 0:
                length = f"it is longer than {json_decode.LARGEST_VALUE >> 20} million characters"
                raise self.broken(where, f"{length} ({failure})" if failure else length)
            self._grow(min(step, left))
            step *= 2  # so that decoding again costs at most twice the value

    def _may_be_cut_off(self, error: json.JSONDecodeError) -> bool:
        """Whether more text could mend it: the error is at the window's end, or a text is open."""
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
