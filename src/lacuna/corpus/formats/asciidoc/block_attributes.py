"""The line in brackets above a block: its style, id, options and named values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

LINE = re.compile(r"\[(?!\[)(?:[\w.#%,\"'*(].*)?\]$")
SPOT = re.compile(r"\[\[([A-Za-z_:][\w:.-]*)(?:,.*)?\]\]$")
SHORT = re.compile(r"([.#%]?)([^.#%]+)")
PIECE = re.compile(r"""\s*(?:([\w-]+)\s*=\s*)?("[^"]*"|'[^']*'|[^,]*)(?:,|$)""")


@dataclass(slots=True)
class BlockAttributes:
    """What is said about the block that follows."""

    style: str = ""
    ids: list[str] = field(default_factory=list)
    options: set[str] = field(default_factory=set)
    positional: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def take(self, line: str) -> None:
        """Adds what one line says; several lines may stand above a block."""
        if spot := SPOT.match(line):
            self.ids.append(spot[1])
            return
        first = True
        end = 0
        inner = line[1:-1]
        while end < len(inner):
            piece = PIECE.match(inner, end)
            if piece is None or piece.end() == end:
                break
            end = piece.end()
            value = piece[2].strip().strip("\"'")
            if piece[1]:
                self._name(piece[1].lower(), value)
            elif first:
                self._short(value)
            else:
                self.positional.append(value)
            first = False

    def _short(self, value: str) -> None:
        """``style#id.role%option``, each part of which may be missing."""
        for sign, word in SHORT.findall(value):
            if sign == "#":
                self.ids.append(word)
            elif sign == "%":
                self.options.add(word)
            elif not sign:
                self.style = word.strip()

    def _name(self, name: str, value: str) -> None:
        if name == "id":
            self.ids.append(value)
        elif name in ("options", "opts"):
            self.options.update(option.strip() for option in value.split(","))
        else:
            self.named[name] = value
