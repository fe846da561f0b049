"""Styles: which of them are headings, the title, lists, and entries of a table of contents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from lacuna.corpus.formats.docx.package import Package, parse_xml

HEADING = re.compile(r"heading ([1-9])")
CONTENTS = re.compile(r"toc (?:[1-9]|heading)|table of figures|table of authorities|index [1-9]")
DEEPEST = 20
"""Styles that one may be based on, one after the other."""


class StyleRole(Enum):
    """What paragraphs of a style are."""

    TEXT = auto()
    TITLE = auto()
    ITEM = auto()
    CONTENTS = auto()


@dataclass(slots=True)
class Style:
    """One style as it is written."""

    name: str = ""
    based_on: str = ""
    level: int = 0
    numbered: bool = False


class Styles:
    """The styles of a document by their identifiers."""

    def __init__(self, styles: Mapping[str, Style]) -> None:
        self._styles = styles

    def level(self, identifier: str) -> int:
        """That of a heading, from 1; 0 for other text."""
        for style in self._chain(identifier):
            if found := HEADING.fullmatch(style.name):
                return int(found[1])
            if style.level:
                return style.level
        return 0

    def role(self, identifier: str) -> StyleRole:
        """What a paragraph of this style is."""
        for style in self._chain(identifier):
            if style.name == "title":
                return StyleRole.TITLE
            if CONTENTS.fullmatch(style.name):
                return StyleRole.CONTENTS
            if style.numbered or style.name.startswith("list "):
                return StyleRole.ITEM
        return StyleRole.TEXT

    def _chain(self, identifier: str) -> list[Style]:
        chain: list[Style] = []
        while identifier in self._styles and len(chain) < DEEPEST:
            chain.append(self._styles[identifier])
            identifier = chain[-1].based_on
        return chain


def read_styles(package: Package, part: str) -> Styles:
    """The styles that a part defines."""
    styles: dict[str, Style] = {}
    current = Style()

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal current
        value = attributes.get("val", "")
        if element == "style":
            current = styles.setdefault(attributes.get("styleId", ""), Style())
        elif element == "name":
            current.name = value.lower()
        elif element == "basedOn":
            current.based_on = value
        elif element == "outlineLvl" and value in tuple("012345678"):
            current.level = int(value) + 1
        elif element == "numId":
            current.numbered = value != "0"

    parse_xml(package.part(part) or b"<none/>", start)
    return Styles(styles)
