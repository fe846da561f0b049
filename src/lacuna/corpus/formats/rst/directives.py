"""Sphinx's directives, and those of docutils that read files, change other documents or are strict.

What is not known is shown: its argument and its content.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst.directives.tables import CSVTable

from lacuna.corpus.formats.rst.sphinx_names import (
    CODE,
    DROPPED,
    PAGE_SUFFIXES,
    PREFIXES,
    VERSION_NOTES,
)
from lacuna.corpus.pages.page import LinkKind

STYLE = re.compile(r"[a-z][a-z0-9 -]*")
MOST_CELLS = 50_000


class described(nodes.Element):  # noqa: N801 - docutils names its nodes so
    """Something with a signature and a description."""


class prefixed(nodes.Element):  # noqa: N801
    """Blocks that begin with the words in ``prefix``: ``Note``, ``New in version 3.2``."""


class AnyOption(dict[str, Callable[[str], Any]]):
    """Takes every option as it is written."""

    def get(self, key: str, default: Any = None) -> Any:
        return lambda value: value or ""


class Lenient(Directive):
    """Takes any argument, option and content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = AnyOption(any=str)

    @property
    def argument(self) -> str:
        """The whole argument; empty where there is none."""
        return str(self.arguments[0]) if self.arguments else ""

    def inline(self, text: str) -> list[nodes.Node]:
        """A line of text with its markup."""
        return list(self.state.inline_text(text, self.lineno)[0])

    def parse_content(self, parent: nodes.Element) -> None:
        """The content as blocks under a node; headings may be among them."""
        self.state.nested_parse(self.content, self.content_offset, parent, match_titles=True)

    def placed(self, node: nodes.Element) -> nodes.Element:
        """The node with the line that it stands on."""
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        return node


class Dropped(Lenient):
    """What readers never see."""

    def run(self) -> list[nodes.Node]:
        return []


class Code(Lenient):
    """Text to be shown as it is; its argument is a language."""

    def run(self) -> list[nodes.Node]:
        shown: list[nodes.Node] = []
        if caption := self.options.get("caption"):
            shown.append(self.placed(nodes.paragraph("", "", *self.inline(caption))))
        text = "\n".join(self.content)
        if text.strip():
            block = nodes.literal_block(text, text)
            block.line = self.content_offset + 1
            shown.append(block)
        return shown


class Formula(Lenient):
    """Mathematics, in its argument or content, as it is written."""

    def run(self) -> list[nodes.Node]:
        text = "\n".join([self.argument, *self.content]).strip("\n")
        return [self.placed(nodes.literal_block(text, text))] if text.strip() else []


class Grammar(Lenient):
    """Productions, which begin on the line of the directive."""

    optional_arguments = 0
    option_spec = None

    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        return [self.placed(nodes.literal_block(text, text))]


class Contained(Lenient):
    """Content alone: the argument says when or how it is shown."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        self.parse_content(node)
        return [self.placed(node)]


class Described(Contained):
    """A function, class, option …: each line of its argument is a signature."""

    def run(self) -> list[nodes.Node]:
        if self.name == "class" and STYLE.fullmatch(self.argument):
            # docutils' own directive of this name: a style for what follows.
            return super().run()
        prefix = PREFIXES.get(self.name.lower().rpartition(":")[2], "")
        joined = self.argument.replace("\\\n", " ")
        node = described(signatures=[prefix + line.strip() for line in joined.splitlines()])
        if node["signatures"]:
            kind, value = self.options.get("type"), self.options.get("value")
            node["signatures"][-1] += f": {kind}" * bool(kind) + f" = {value}" * bool(value)
        self.parse_content(node)
        return [self.placed(node)]


class Unknown(Lenient):
    """A directive of which nothing is known: its argument, then its content."""

    def run(self) -> list[nodes.Node]:
        node = described(signatures=[], unknown=self.name)
        if self.argument:
            node += self.placed(nodes.paragraph("", "", *self.inline(self.argument)))
        self.parse_content(node)
        return [self.placed(node)]


class VersionNote(Lenient):
    """``versionadded`` and its like: a version, then what changed, on its line or below."""

    def run(self) -> list[nodes.Node]:
        version, told = _first_word(self.argument)
        if self.name == "deprecated-removed":
            removal, told = _first_word(told)
            version += f", removed in version {removal}"
        label = VERSION_NOTES[self.name.lower()]
        node = prefixed(prefix=f"{label} {version}".strip())
        if told:
            node += self.placed(nodes.paragraph("", "", *self.inline(told)))
        self.parse_content(node)
        return [self.placed(node)]


class SeeAlso(Lenient):
    """Related things, on its line or below."""

    def run(self) -> list[nodes.Node]:
        node = prefixed(prefix="See also")
        if self.argument:
            node += self.placed(nodes.paragraph("", "", *self.inline(self.argument)))
        self.parse_content(node)
        return [self.placed(node)]


class Heading(Lenient):
    """A line that heads something without being a section."""

    def run(self) -> list[nodes.Node]:
        return [self.placed(nodes.paragraph("", "", *self.inline(self.argument)))]


class Glossary(Lenient):
    """Terms, one or several in a row, each with the definition that is indented below."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        listed = nodes.definition_list()
        terms: list[tuple[str, int]] = []
        at = 0
        while at < len(self.content):
            line = self.content[at]
            if line.strip() and not line[0].isspace():
                if not line.startswith(".. "):
                    terms.append((line.partition(" : ")[0].strip(), at))
                at += 1
                continue
            end = at
            while end < len(self.content) and not (
                self.content[end].strip() and not self.content[end][0].isspace()
            ):
                end += 1
            body = self.content[at:end]
            if any(line.strip() for line in body) and terms:
                listed += self._entry(terms, body, at)
                terms = []
            at = end
        return [listed]

    def _entry(self, terms: list[tuple[str, int]], body: Any, at: int) -> nodes.Element:
        while not body[0].strip():
            body.trim_start()
            at += 1
        indent = min(len(line) - len(line.lstrip()) for line in body if line.strip())
        body.trim_left(indent)
        names = [nodes.unescape(term, restore_backslashes=True) for term, _ in terms]
        node = prefixed(prefix=", ".join(names), terms=[name.lower() for name in names])
        node.line = self.content_offset + terms[0][1] + 1
        self.state.nested_parse(body, self.content_offset + at, node)
        return node


class Toctree(Lenient):
    """The pages below this one."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        listed = nodes.bullet_list()
        for at, line in enumerate(self.content):
            entry = line.strip()
            if not entry or ("glob" in self.options and re.search(r"[*?\[]", entry)):
                continue
            titled = re.fullmatch(r"(.+?)\s*<([^<>]+)>", entry)
            shown, target = (titled[1], titled[2]) if titled else (entry.strip("/"), entry)
            if target == "self":
                continue
            link = nodes.reference("", shown, written=target, kind=LinkKind.PATH.value)
            paragraph = nodes.paragraph("", "", link)
            paragraph.line = self.content_offset + at + 1
            listed += nodes.list_item("", paragraph)
        return [listed] if len(listed) else []


class Include(Lenient):
    """Another file: a link to it if it is one that can be read as a page."""

    def run(self) -> list[nodes.Node]:
        path = self.argument.strip()
        if not path.lower().endswith(PAGE_SUFFIXES) or "\n" in path:
            return []
        link = nodes.reference("", path, written=path, kind=LinkKind.PATH.value)
        return [self.placed(nodes.paragraph("", "", link))]


class BoundedCsv(CSVTable):
    """A table of comma-separated values; one that lies in another file is a link to it."""

    def run(self) -> list[Any]:
        if path := self.options.get("file") or self.options.get("url"):
            link = nodes.reference("", path, written=path, kind=LinkKind.PATH.value)
            caption = f"{self.arguments[0]}: " if self.arguments else ""
            return [nodes.paragraph("", "", nodes.Text(caption), link)]
        delimiter = str(self.options.get("delim") or ",")
        widest = max((line.count(delimiter) for line in self.content), default=0) + 1
        if widest * len(self.content) > MOST_CELLS:
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text)]
        return list(super().run())


def _first_word(text: str) -> tuple[str, str]:
    word, *rest = text.split(None, 1) or [""]
    return word, " ".join(rest).strip()


OURS: dict[str, type[Directive]] = {
    **dict.fromkeys(DROPPED, Dropped),
    **dict.fromkeys(CODE, Code),
    **dict.fromkeys(VERSION_NOTES, VersionNote),
    **dict.fromkeys(("rubric", "centered"), Heading),
    **dict.fromkeys(("only", "ifconfig", "hlist", "cssclass", "rst-class"), Contained),
    **dict.fromkeys(("include", "literalinclude", "mdinclude"), Include),
    "math": Formula,
    "productionlist": Grammar,
    "seealso": SeeAlso,
    "glossary": Glossary,
    "toctree": Toctree,
    "csv-table": BoundedCsv,
}


def directive_class(name: str, known: type[Directive] | None) -> type[Directive]:
    """How a directive is read; ``known`` is docutils' own class for it, if it has one."""
    name = name.lower()
    domain, _, kind = name.rpartition(":")
    if own := OURS.get(name) or (OURS.get(kind) if domain == "std" else None):
        return own
    if domain or kind in PREFIXES:
        return Described
    return known or Unknown
