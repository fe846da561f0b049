"""Front matter: the fields above a note, in YAML, TOML or JSON, as text with their lines."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

import yaml

FENCES = {"---": ("---", "..."), "+++": ("+++",)}
LONGEST = 1 << 16
"""Characters of front matter; what is longer is text."""
MOST_FIELDS = 200
MOST_VALUES = 200
LONGEST_VALUE = 2000
DEEPEST = 4
DEEPEST_BRACKETS = 50
BRACKET = re.compile(r"[\[\]{}]")
LAYOUT_WORDS = """
allowtitletodifferfromfilename amp analytics bannerimage bibliography bodyclass breadcrumb
breadcrumbs class classes comment comments contentid cover cspell css cssclass
cssclasses currentstep editurl eleventynavigation excludefromsearch filename global grandparent
haschildren hastoc header headless hero hide hidetableofcontents homelink icon id identifier image
imagepath images jekyll js kernelspec lang language layout linktitle locale logo mapmarker math
mathjax maxpagewidth menu mermaid metasocialimage nav navigation navorder navtitle ogimage order
outlinedlinks output pagination parent permalink pin position published railroad redirectfrom
redirectto redirto returntop robots schema script scripts search searchbox searchexclude selected
seo share shorttitle showtitle showtoc sidebar sidebarlabel sidebarposition sidebartitle sidenav
sitemap slug social sortrank stepindicator style styles stylesheets subnav substep template theme
thumbnail toc tocdepth toctitle translationkey twittercard twitterimage uid url uuid versions
weight
"""
LAYOUT = frozenset(LAYOUT_WORDS.split())
"""Keys, written small and in one word, that say how a site shows a page and nothing about it."""
LAYOUT_KEY = re.compile(r"(?:hide|show)(?=[_-]|[A-Z])|.*[a-z](?:_banner|CommitHash|_translated)$")
SITE_PATH = re.compile(
    r"\.{0,2}/\S*$|\S+\.(?:png|jpe?g|gif|svg|webp|html?|js|css|scss)$", re.IGNORECASE
)
CAPITAL_INSIDE = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
HEADER = re.compile(r"[A-Za-z][\w -]{0,30}:(?=[ \t]+\S)")
LONGEST_HEADER = 40
"""Lines that a header without fences may have."""
FIELD = re.compile(r"([A-Za-z_][\w .-]{0,60}?):(?:[ \t]+(.*))?$")
KEY = re.compile(r"""[ \t{]*["']?([\w.-]+)["']?\s*[:=]""")


class Field(NamedTuple):
    """One fact about a page: ``author``, ``("Jane Doe",)``, and the line it stands on."""

    key: str
    values: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        """The values in one line."""
        return ", ".join(self.values)[:LONGEST_VALUE]

    @property
    def is_layout(self) -> bool:
        """True for what only the site's program reads."""
        names = self.key.lstrip("@").split(".")
        return (
            any(re.sub(r"[\W_]+", "", name).casefold() in LAYOUT for name in (names[0], names[-1]))
            or bool(LAYOUT_KEY.match(names[-1]))
            or all(SITE_PATH.fullmatch(value) for value in self.values)
        )


class FrontMatter(NamedTuple):
    """The fields of a note, its text below them, and the line on which that begins."""

    fields: tuple[Field, ...]
    body: str
    line: int

    def facts(self) -> Iterator[Field]:
        """What a person may ask: everything but the title and what only lays out the site."""
        for field in self.fields:
            if field.key.lower() != "title" and not field.is_layout:
                yield field._replace(key=name_in_words(field.key))

    def values(self, *keys: str) -> Iterator[str]:
        """The values of these keys, whatever their case."""
        for field in self.fields:
            if field.key.lower() in keys:
                yield from field.values


def name_in_words(name: str) -> str:
    """The words of a name that a program reads.

    >>> name_in_words("DateApproved"), name_in_words("author.last_name"), name_in_words("PORT")
    ('date approved', 'author last name', 'PORT')
    """
    words = re.sub(r"[\s._-]+", " ", CAPITAL_INSIDE.sub(" ", name)).strip()
    return words if name == name.upper() else words.lower() if " " in words else name


def split_front_matter(text: str) -> FrontMatter:
    """Take a note apart; line ends are ``\\n``. What cannot be read as fields stays text."""
    fence = text[:4].rstrip("\n \t")
    if text.startswith("{"):
        return _json(text)
    if HEADER.match(text):
        return _header(text)
    if fence not in FENCES or (block := _fenced(text, fence)) is None:
        return FrontMatter((), text, 1)
    inside, body = block
    read = _toml_fields if fence == "+++" else _yaml_fields
    fields = read(inside)
    if fields is None:
        return FrontMatter((), inside + "\n\n" + body, 2)
    return FrontMatter(tuple(fields), body, inside.count("\n") + 4)


def _header(text: str) -> FrontMatter:
    """``Title: …`` and more such lines above the text, without fences; lines go on indented."""
    head = text[:LONGEST].partition("\n\n")[0]
    lines = head.split("\n")
    if len(lines) > LONGEST_HEADER:
        return FrontMatter((), text, 1)
    fields: list[Field] = []
    for number, line in enumerate(lines, 1):
        if fields and line[:1] in " \t" and line.strip():
            more = f"{fields[-1].values[0]} {line.strip()}"
            fields[-1] = fields[-1]._replace(values=(more,))
        elif HEADER.match(line) and (field := FIELD.match(line[: LONGEST_VALUE + 100])):
            fields.append(Field(field[1], ((field[2] or "").strip(" \t'\""),), number))
        else:
            return FrontMatter((), text, 1)
    if not any(field.key.lower() == "title" for field in fields):
        return FrontMatter((), text, 1)
    return FrontMatter(tuple(_bounded(fields)), text[len(head) :], len(lines))


def _fenced(text: str, fence: str) -> tuple[str, str] | None:
    """The text between the fences, and below them."""
    first, _, rest = text.partition("\n")
    if first.rstrip() != fence:
        return None
    inside: list[str] = []
    size = 0
    for line in rest[: LONGEST + 4].split("\n"):
        if line.rstrip() in FENCES[fence]:
            below = rest[size + len(line) + 1 :]
            return "\n".join(inside), below
        inside.append(line)
        size += len(line) + 1
    return None


def _yaml_fields(inside: str) -> list[Field] | None:
    """The fields as they are written: a version ``1.10`` and a date stay what they look like.

    The parser's nodes are read and never turned into objects, which is where a hostile note could
    fail or grow.
    """
    if _nests_deeply(inside):  # the parser's time grows with the square of the depth
        return None
    try:
        root = yaml.compose(inside, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return _plain_fields(inside)
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode):
        return None
    return _bounded(_of_node("", root, 0))


def _nests_deeply(inside: str) -> bool:
    steps = ({"[": 1, "{": 1, "]": -1, "}": -1}[mark[0]] for mark in BRACKET.finditer(inside))
    return max(accumulate(steps), default=0) > DEEPEST_BRACKETS


def _of_node(key: str, node: yaml.Node, line: int, depth: int = 0) -> Iterator[Field]:
    if isinstance(node, yaml.ScalarNode):
        yield Field(key, (node.value,), line)
    elif depth >= DEEPEST:
        return
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if isinstance(name, yaml.ScalarNode):
                at = name.start_mark.line + 2
                yield from _of_node(_joined(key, name.value), value, at, depth + 1)
    elif isinstance(node, yaml.SequenceNode):
        words = [item.value for item in node.value if isinstance(item, yaml.ScalarNode)]
        yield Field(key, tuple(words), line)
        for item in node.value:
            if not isinstance(item, yaml.ScalarNode):
                yield from _of_node(key, item, item.start_mark.line + 2, depth + 1)


def _plain_fields(inside: str) -> list[Field] | None:
    """``key: value`` line by line, for what is no YAML but meant to be."""
    fields: list[Field] = []
    for number, line in enumerate(inside.split("\n"), 2):
        if not line.strip() or line.startswith("#"):
            continue
        if not (field := FIELD.match(line[: LONGEST_VALUE + 100])):
            return None
        fields.append(Field(field[1], ((field[2] or "").strip(" \t'\""),), number))
    return _bounded(fields)


def _toml_fields(inside: str) -> list[Field] | None:
    try:
        fields = tomllib.loads(inside)
    except (ValueError, RecursionError):
        return None
    return _bounded(_of_value("", fields, _lines_of_keys(inside)))


def _json(text: str) -> FrontMatter:
    try:
        fields, end = json.JSONDecoder().raw_decode(text[:LONGEST])
    except (ValueError, RecursionError):
        return FrontMatter((), text, 1)
    if not isinstance(fields, dict) or (text[end:].split("\n", 1)[0].strip()):
        return FrontMatter((), text, 1)
    found = _bounded(_of_value("", fields, _lines_of_keys(text[:end], first=1)))
    return FrontMatter(tuple(found), text[end:], text.count("\n", 0, end) + 1)


def _lines_of_keys(inside: str, first: int = 2) -> dict[str, int]:
    lines: dict[str, int] = {}
    for number, line in enumerate(inside.split("\n"), first):
        if key := KEY.match(line):
            lines.setdefault(key[1], number)
    return lines


def _of_value(key: str, value: Any, lines: dict[str, int], depth: int = 0) -> Iterator[Field]:
    line = lines.get(key.rpartition(".")[2], 0)
    if isinstance(value, dict) and depth < DEEPEST:
        for name, inner in value.items():
            yield from _of_value(_joined(key, str(name)), inner, lines, depth + 1)
    elif isinstance(value, list) and depth < DEEPEST:
        yield Field(key, tuple(_shown(item) for item in value if _is_scalar(item)), line)
        for item in value:
            if not _is_scalar(item):
                yield from _of_value(key, item, lines, depth + 1)
    elif _is_scalar(value):
        yield Field(key, (_shown(value),), line)


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    # A number of thousands of digits is no fact, and turning it into text would fail.
    if isinstance(value, int) and value.bit_length() > 1000:
        return ""
    return "" if value is None else str(value)


def _joined(key: str, name: str) -> str:
    return f"{key}.{name}" if key and name != "<<" else key or name


def _bounded(fields: Iterable[Field]) -> list[Field]:
    """The first fields that say something, each with words that fit into a line."""
    kept: list[Field] = []
    for looked_at, field in enumerate(fields):
        if looked_at >= 5 * MOST_FIELDS or len(kept) >= MOST_FIELDS:
            break
        values = (" ".join(value[:LONGEST_VALUE].split()) for value in field.values[:MOST_VALUES])
        if words := tuple(value for value in values if value):
            kept.append(Field(" ".join(field.key[:200].split()), words, field.line))
    return kept
