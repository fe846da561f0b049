"""What a line of AsciiDoc is, seen by itself or with the line below it.

Lines come without the space at their end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
UNDERLINE = re.compile(r"([=\-~^+])\1+$")
UNDERLINES = "=-~^+"
ITEM = re.compile(r"[ \t]*(\*{1,6}|-|•|\.{1,6}|\d{1,9}\.|[A-Za-z]\.|<(?:\d{1,4}|\.)>)[ \t]+(\S.*)$")
TERM = re.compile(r"[ \t]*(?!//)(\S.*?)(:::?:?|;;)(?:[ \t]+(\S.*))?$")
CHECKBOX = re.compile(r"\[([ xX*])\][ \t]+")
MACRO = re.compile(r"([a-z][\w-]*)::([^\s\[\]]*|[^\[\]]*?)\[(.*)\]$")
CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\[]*\[(.*)\]$")
BLOCK_TITLE = re.compile(r"\.([^\s.].*)$")
DELIMITER = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|`{3}[\w-]*|~{4,})$")
TABLE = re.compile(r"([|,:!])={3,}$")
BREAK = re.compile(r"(?:'{3,}|<<<|-{3}|\*{3}|- - -|\* \* \*)$")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
NOT_IN_AN_ID = re.compile(r"[^\w\s.-]")


class HeadingLine(NamedTuple):
    """A heading, its level (0 for the title of the document) and how many lines it takes."""

    level: int
    text: str
    lines: int


def heading_at(lines: Sequence[str], at: int) -> HeadingLine | None:
    """The heading that begins at a line: ``== Like this``, or with a line of signs under it."""
    line = lines[at]
    if line[:1] in ("=", "#"):
        found = HEADING.match(line)
        if not found:
            return None
        text = found[2].removesuffix(f" {found[1]}").rstrip()
        return HeadingLine(len(found[1]) - 1, text, 1)
    if at + 1 >= len(lines) or not line[:1].strip() or line[0] in "[|.+*":
        return None
    under = lines[at + 1]
    # The lengths may differ by three; what is longer or shorter is a block or a paragraph.
    if len(under) < 2 or abs(len(under) - len(line)) > 3 or not UNDERLINE.match(under):
        return None
    if ITEM.match(line) or not any(char.isalnum() for char in line):
        return None
    return HeadingLine(UNDERLINES.index(under[0]), line.strip(), 2)


def section_id(title: str) -> str:
    """The id that Asciidoctor makes of a heading.

    >>> section_id("Install Ruby (2.x)")
    '_install_ruby_2_x'
    """
    words = NOT_IN_AN_ID.sub("", title.lower())
    return "_" + re.sub(r"[\s._-]+", "_", words).strip("_")
