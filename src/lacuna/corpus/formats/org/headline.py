"""Headings of an outline: what is to be done, how urgent it is, its tags, dates and properties."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEADLINE = re.compile(r"(\*+)[ \t]+(\S.*)$")
TAGS = re.compile(r"(?:^|[ \t])(:(?:[\w@#%]+:)+)$")
PRIORITY = re.compile(r"\[#(\w{1,2})\][ \t]*")
PROGRESS = re.compile(r"[ \t]*\[\d*(?:/\d*|%)\]")
PLANNED = re.compile(r"\b(SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[]([^<>\[\]]{1,100})[>\]]")
PROPERTY = re.compile(r"[ \t]*:([^\s:][^\s]*?)\+?:(?:[ \t]+(.*))?$")
DRAWER = re.compile(r"[ \t]*:([\w-]+):$")
TODO = ("TODO", "DONE", "NEXT", "WAITING", "WAIT", "STARTED", "CANCELLED", "CANCELED", "HOLD")
HOW_IT_LOOKS = frozenset(
    [
        "custom_id",
        "id",
        "unnumbered",
        "alt_title",
        "index",
        "appendix",
        "copying",
        "visibility",
        "html_container",
        "html_container_class",
        "export_file_name",
        "header-args",
        "cookie_data",
        "columns",
        "category",
        "ordered",
        "roam_aliases",
        "roam_refs",
        "tag",
        "beamer_env",
        "beamer_act",
        "beamer_opt",
        "beamer_col",
        "results",
        "exports",
        "html_headline_class",
        "reveal_background",
    ]
)
"""Properties that say nothing about what the heading is about."""


@dataclass(slots=True)
class Headline:
    """One heading, taken apart."""

    level: int
    title: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    comment: bool = False


def headline(line: str, todo: frozenset[str]) -> Headline | None:
    """The heading in a line; None if it is none.

    >>> headline("** TODO [#A] Call the yard :boat:", frozenset(["TODO"]))
    Headline(level=2, title='Call the yard', facts=[('status', 'TODO'), ('priority', 'A'), \
('tags', 'boat')], ids=[], comment=False)
    """
    found = HEADLINE.match(line) if line.startswith("*") else None
    if not found:
        return None
    title = found[2]
    heading = Headline(len(found[1]), "")
    tags = TAGS.search(title)
    if tags:
        title = title[: tags.start()].rstrip()
    word, _, rest = title.partition(" ")
    if word in todo:
        heading.facts.append(("status", word))
        title = rest.lstrip()
    if urgent := PRIORITY.match(title):
        heading.facts.append(("priority", urgent[1]))
        title = title[urgent.end() :]
    if title == "COMMENT" or title.startswith("COMMENT "):
        heading.comment = True
    if tags:
        heading.facts.append(("tags", ", ".join(tags[1].strip(":").split(":"))))
    heading.title = PROGRESS.sub("", title).strip()
    return heading


def take_properties(lines: list[str], at: int, end: int, heading: Headline) -> int:
    """Adds the dates and properties that follow a heading; gives the line after them.

    ``end`` is the line of the next ``:END:``, or beyond the last line.
    """
    while at < len(lines) and (planned := PLANNED.findall(lines[at])):
        heading.facts += ((name.lower(), when.strip()) for name, when in planned)
        at += 1
    if at < len(lines) and lines[at].strip().upper() == ":PROPERTIES:" and end < len(lines):
        for line in lines[at + 1 : end]:
            if written := PROPERTY.match(line):
                _property(heading, written[1], (written[2] or "").strip())
        at = end + 1
    return at


def _property(heading: Headline, name: str, value: str) -> None:
    key = name.lower()
    if key == "custom_id":
        heading.ids.append(value)
    elif key == "id":
        heading.ids.append(f"id:{value}")
    if value and key not in HOW_IT_LOOKS and not key.startswith(("export_", "header-args")):
        heading.facts.append((key.replace("_", " "), value))
