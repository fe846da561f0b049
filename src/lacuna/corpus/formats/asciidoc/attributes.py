"""The attributes of a document, ``:name: value``, and where they are used, ``{name}``."""

from __future__ import annotations

import re

ENTRY = re.compile(r":(!?[A-Za-z0-9_][\w-]*!?):(?:\s+(.*))?$")
REFERENCE = re.compile(r"(\\?)\{([A-Za-z0-9_][\w-]*)\}")
LONGEST_VALUE = 2000
MOST_PUT_IN = 1 << 20
"""Characters that attributes may add to a document, which could name them without end."""
CHARACTERS = {
    "empty": "",
    "blank": "",
    "sp": " ",
    "nbsp": " ",
    "zwsp": "",
    "wj": "",
    "apos": "'",
    "quot": '"',
    "lsquo": "‘",
    "rsquo": "’",
    "ldquo": "“",
    "rdquo": "”",
    "deg": "°",
    "plus": "+",
    "brvbar": "¦",
    "vbar": "|",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "startsb": "[",
    "endsb": "]",
    "caret": "^",
    "asterisk": "*",
    "tilde": "~",
    "backslash": "\\",
    "backtick": "`",
    "two-colons": "::",
    "two-semicolons": ";;",
    "cpp": "C++",
    "pp": "++",
}


class Attributes:
    """What each name stands for at the line that is being read."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._room = MOST_PUT_IN

    def define(self, name: str, value: str) -> None:
        """Sets an attribute; ``!name`` takes it back."""
        if "!" in name:
            self.values.pop(name.strip("!").lower(), None)
        else:
            self.values[name.lower()] = self.put_in(value)[:LONGEST_VALUE]

    def put_in(self, text: str) -> str:
        """The text with what its references stand for; those to unknown attributes stay."""
        return REFERENCE.sub(self._value, text) if "{" in text else text

    def _value(self, reference: re.Match[str]) -> str:
        if reference[1]:
            return reference[0][1:]
        name = reference[2].lower()
        value = self.values.get(name, CHARACTERS.get(name))
        if value is None or self._room < len(value):
            return reference[0]
        self._room -= len(value)
        return value
