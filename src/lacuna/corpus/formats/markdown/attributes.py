"""Attributes as tags, components and shortcodes have them: ``title="How to sail"``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape

ATTRIBUTE = re.compile(
    r"""([A-Za-z_:@][\w:.-]*)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`"""
    r"""|\{\s*["'`]([^"'`]*)["'`]\s*\}|([^\s"'{}<>]+)))?"""
)
SHOWN = ("title", "label", "header", "heading", "summary", "caption", "alt", "text", "description")
"""What a component shows to its reader."""
FILE_NAMES = ("file-name", "filename")


def attributes(written: str) -> dict[str, str]:
    """The attributes with their values; the first of a name counts.

    >>> attributes('number="2-1" open label={"Linux"}')
    {'number': '2-1', 'open': '', 'label': 'Linux'}
    """
    found: dict[str, str] = {}
    for match in ATTRIBUTE.finditer(written):
        value = next((value for value in match.groups()[1:] if value is not None), "")
        found.setdefault(match[1].lower(), unescape(value))
    return found


def shown_words(component: str, given: Mapping[str, str]) -> str:
    """What the attributes of a component or shortcode say to its reader.

    >>> shown_words("Listing", {"number": "2-1", "caption": "A guess"})
    'Listing 2-1: A guess'
    """
    words = ". ".join(dict.fromkeys(_shown(given)))
    if number := given.get("number", ""):
        return f"{component} {number}: {words}" if words else f"{component} {number}"
    return words


def _shown(given: Mapping[str, str]) -> Iterator[str]:
    for name in SHOWN:
        if value := given.get(name, "").strip():
            yield value
    for name in FILE_NAMES:
        if value := given.get(name, "").strip():
            yield f"File name: {value}"
