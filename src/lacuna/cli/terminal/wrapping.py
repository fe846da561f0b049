"""Lines that break between words on a terminal, and go on below where they began.

A pipe gets every line whole, as scripts expect it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lacuna.cli.console import console_for_results, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NARROWEST = 20
"""Columns that a text gets, however far in it stands."""


def say_hanging(lead: str, text: str) -> None:
    """``lead`` and a text; further lines begin below the text."""
    if not sys.stdout.isatty():
        say(lead + text)  # without what rich takes to load
        return
    from rich.text import Text

    print_hanging(console_for_results(), Text(lead), Text(text))


def say_document(text: str) -> None:
    """A text of many lines; a line that is too long goes on as far in as it began."""
    if not sys.stdout.isatty():
        say(text)
        return
    from rich.text import Text

    from lacuna.cli.cleaning import safe_lines

    console = console_for_results()
    for line in safe_lines(text).expandtabs(4).split("\n"):
        inner = line.lstrip(" ")
        print_hanging(console, Text(line[: len(line) - len(inner)]), Text(inner))


def print_hanging(console: Console, lead: Text, text: Text) -> None:
    """The same in colours."""
    from rich.text import Text

    indent = lead.cell_len
    if not sys.stdout.isatty():
        console.print(Text.assemble(lead, text), soft_wrap=True)
        return
    if indent > console.width - NARROWEST:
        lead, text, indent = Text(), Text.assemble(lead, text), 0
    for number, line in enumerate(text.wrap(console, console.width - indent) or [Text()]):
        line.rstrip()
        before = Text(" " * indent) if number else lead
        console.print(Text.assemble(before, line), soft_wrap=True)
