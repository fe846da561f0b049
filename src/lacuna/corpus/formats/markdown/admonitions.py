"""Notes, tips and warnings: the many ways to write one, each as the lines that a reader sees.

Each function gives the lines for one that is written, and none for one that is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.corpus.formats.markdown.attributes import attributes
from lacuna.corpus.formats.markdown.templates import ADMONITIONS

KIND_ALONE = "\x1f"
"""Ends a line that has nothing but the kind of a note."""
CALLOUT = re.compile(r"(\s*+(?:>\s*+)+)\[!([\w-]+)[^\[\]]*\][+-]?\s*+(.*)$")
ADMONITION = re.compile(
    r"""(\s*+)(?:!!!|\?\?\?\+?|===[!+]?)(?:[ ]+|$)((?:[A-Za-z][\w-]*[ ]*)*+)"""
    r"""(?:"([^"]*)"|'([^']*)')?\s*+$"""
)
CONTAINER = re.compile(
    r"\s*+:{3,}+\s*+\{?([A-Za-z][\w-]*)?\}?(?:\[([^\[\]]*)\])?([^\[\]{}:]*+)(?:\{([^{}]*)\})?\s*+$"
)
CLASS = re.compile(r"\.(?:callout-)?([\w-]+)")
DIRECTIVE = re.compile(rf"(?:mdx-code-block|\{{({'|'.join(sorted(ADMONITIONS))})\}})(.*)$")


def callout_lines(line: str) -> list[str]:
    """Obsidian's and GitHub's ``> [!note] Title``."""
    found = CALLOUT.match(line)
    return list(_titled(found[1], found[2], found[3])) if found else []


def admonition_lines(line: str, below: str, *, in_list: bool) -> list[str]:
    """MkDocs' ``!!! note "Title"`` and ``=== "Tab"``, whose text below is indented."""
    found = ADMONITION.match(line)
    if not found or (below.strip() and below[0] not in " \t"):
        return []
    if len(found[1]) > 3 and not in_list:  # code that shows one
        return []
    words = found[2].split()
    titled = list(_titled(found[1], words[0] if words else "", found[3] or found[4] or ""))
    return ["", *titled] if titled else []


def container_lines(line: str) -> list[str]:
    """Docusaurus' ``:::note Title``, Quarto's ``::: {.callout-note}``, and what ends them."""
    found = CONTAINER.match(line) if ":::" in line else None
    if not found:
        return []
    given = found[4] or ""
    marked = CLASS.match(given)
    name = found[1] or (marked[1] if marked else "")
    title = found[2] or found[3].strip() or attributes(given).get("title", "")
    return ["", *_titled("", name if name.lower() in ADMONITIONS else "", title)]


def directive_lines(info: str) -> list[str]:
    """MyST's fence with ``{note} Title``, and other fences around what is no code."""
    found = DIRECTIVE.match(info)
    if not found:
        return []
    name = found[1] or ""
    return ["", *_titled("", "" if name == "admonition" else name, found[2].strip())]


def _titled(before: str, name: str, title: str) -> Iterator[str]:
    """The title on a line of its own; without one, the kind begins the text."""
    name = name.capitalize()
    if title:
        yield before + (f"{name}: {title}" if name.lower() not in title.lower() else title)
        yield before.rstrip()
    elif name:
        yield f"{before}{name}{KIND_ALONE}"
