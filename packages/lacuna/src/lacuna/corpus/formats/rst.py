"""Files of reStructuredText, read by docutils, each as a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from docutils import nodes

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import decoded, verbatim_page
from lacuna.corpus.formats.rst_syntax import (
    UnreadableRstError,
    described,
    parse_document,
    prefixed,
)
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts, add_lines, add_runs
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import Cell, Run
from lacuna.corpus.titles import words_of
from lacuna.types import Document

LONGEST_CHAIN = 20


class RstTargets:
    """The targets of references, the labels that others may use, and their titles."""

    def __init__(self, document: nodes.document) -> None:
        self._document = document
        self.labels = tuple(self._labels())
        self.titles = _titles(document)
        nameless = [
            [node for node in document.findall(kind) if node.get("anonymous")]
            for kind in (nodes.reference, nodes.target)
        ]
        self._anonymous = {id(ref): target for ref, target in zip(*nameless, strict=False)}

    def of(self, reference: nodes.Element) -> tuple[str, LinkKind]:
        """The target of a reference; an empty target if nobody can know."""
        if written := reference.get("written"):
            return written, LinkKind(reference["kind"])
        node: nodes.Element | None = reference
        for _ in range(LONGEST_CHAIN):
            if node is None:
                return "", LinkKind.PATH
            if uri := node.get("refuri"):
                return uri, LinkKind.PATH
            if node.get("anonymous") and node is reference:
                node = self._anonymous.get(id(reference))
            elif name := node.get("refname"):
                node = self._named(name)
            elif node is not reference and node.get("ids"):
                return f"#{node['ids'][0]}", LinkKind.PATH
            else:
                return "", LinkKind.PATH
        return "", LinkKind.PATH

    def _named(self, name: str) -> nodes.Element | None:
        node_id = self._document.nameids.get(name)
        return self._document.ids.get(node_id) if node_id else None

    def _labels(self) -> list[tuple[str, str]]:
        labels = []
        for name, explicit in self._document.nametypes.items():
            node = self._named(name)
            if not explicit or node is None or node.get("refuri") or node.get("refname"):
                continue
            if not isinstance(
                node, nodes.footnote | nodes.citation | nodes.substitution_definition
            ):
                labels.append((name, self._document.nameids[name] or ""))
        return labels


def _titles(document: nodes.document) -> dict[str, str]:
    """The heading that each label stands before."""
    titles: dict[str, str] = {}
    waiting: list[str] = []
    for node in document.findall():
        if isinstance(node, nodes.target):
            waiting += node.get("names", ())
        elif isinstance(node, nodes.title | nodes.caption):
            text = node.astext()
            titles.update((name, text) for name in waiting)
            if parent := node.parent:
                titles.update((name, text) for name in parent.get("names", ()))
            waiting = []
        elif isinstance(node, nodes.TextElement) and not isinstance(node, nodes.comment):
            waiting = []
    return titles


HIDDEN = (
    nodes.footnote_reference,
    nodes.system_message,
    nodes.comment,
    nodes.raw,
    nodes.substitution_definition,
    nodes.label,
)
DEEPEST = 5


class RstInline:
    """Turns elements into runs; substitutions are put in, as long as they do not grow wild."""

    def __init__(self, document: nodes.document, targets: RstTargets) -> None:
        self._definitions = document.substitution_defs
        self._lower = document.substitution_names
        self._targets = targets
        self._room = 200_000

    def runs(self, node: nodes.Node, depth: int = 0) -> Iterator[Run]:
        """The parts of a node to read; the ends of its lines are kept."""
        if isinstance(node, nodes.Text):
            code = isinstance(node.parent, nodes.literal | nodes.FixedTextElement)
            text = node.astext()  # without the NUL that stands for an escaping backslash
            yield Run(text if code else text.replace(" --- ", " — "))
        elif isinstance(node, HIDDEN):
            return
        elif isinstance(node, nodes.reference):
            yield from self._reference(node, depth)
        elif isinstance(node, nodes.substitution_reference):
            yield from self._substitution(node, depth)
        elif isinstance(node, nodes.image):
            yield Run(str(node.get("alt", "")), picture=str(node.get("uri", "")))
        elif isinstance(node, nodes.citation_reference):
            yield Run(f"[{node.astext()}]")
        elif isinstance(node, nodes.Element):
            for _, runs in self.children(node, depth):
                yield from runs

    def children(
        self, node: nodes.Element, depth: int = 0
    ) -> Iterator[tuple[nodes.Node, Iterable[Run]]]:
        """The parts inside an element, piece by piece; a footnote's mark leaves no space behind."""
        following = (*node.children[1:], None)
        for child, after in zip(node.children, following, strict=False):
            if isinstance(child, nodes.Text) and isinstance(after, nodes.footnote_reference):
                yield child, [Run(run.text.rstrip(" ")) for run in self.runs(child, depth)]
            else:
                yield child, self.runs(child, depth)

    def cell(self, node: nodes.Element) -> Iterator[Run]:
        """Blocks in one line, as a cell of a table needs it."""
        for child in node.children:
            if isinstance(child, nodes.Element) and not isinstance(
                child, nodes.TextElement | nodes.Invisible | nodes.system_message
            ):
                yield from self.cell(child)
            else:
                yield from self.runs(child)
            yield Run(" ")

    def _reference(self, node: nodes.reference, depth: int) -> Iterator[Run]:
        target, kind = self._targets.of(node)
        if node.get("implied"):
            yield Run(self._targets.titles.get(target, words_of(node.astext())), target, kind)
            return
        text = "".join(run.text for child in node.children for run in self.runs(child, depth))
        yield Run(text, target, kind)

    def _substitution(self, node: nodes.substitution_reference, depth: int) -> Iterator[Run]:
        name = str(node.get("refname", ""))
        definition = self._definitions.get(name) or self._definitions.get(
            self._lower.get(name.lower(), "")
        )
        if definition is None or depth >= DEEPEST or self._room < 0:
            yield Run(words_of(node.astext()))
            return
        for child in definition.children:
            for run in self.runs(child, depth + 1):
                self._room -= 1 + len(run.text)
                if self._room < 0:
                    return
                yield run


def table_cells(
    table: nodes.Element, inline: RstInline, line: int
) -> tuple[list[list[Cell]], list[int]]:
    """The rows, and the line that each of them stands on."""
    rows: list[list[Cell]] = []
    lines: list[int] = []
    stubs = [bool(column.get("stub")) for column in table.findall(nodes.colspec)]
    for row in table.findall(nodes.row):
        if _table_of(row) is not table:
            continue
        heading = isinstance(row.parent, nodes.thead)
        cells = []
        for at, entry in enumerate(row.children):
            if isinstance(entry, nodes.entry):
                cells.append(
                    Cell(
                        tuple(inline.cell(entry)),
                        heading or (at < len(stubs) and stubs[at]),
                        int(entry.get("morecols", 0)) + 1,
                        int(entry.get("morerows", 0)) + 1,
                    )
                )
        line = max(line, _first_line(row) or 0)
        rows.append(cells)
        lines.append(line)
    return rows, lines


def _table_of(row: nodes.Element) -> nodes.Element | None:
    """The table that a row belongs to: body, group, table."""
    node: nodes.Element | None = row
    for _ in range(3):
        node = node.parent if node is not None else None
    return node


def _first_line(node: nodes.Element) -> int | None:
    return next((one.line for one in node.findall(nodes.Element) if one.line), None)


ENDS_A_TERM = (":", ".", "?", "!", ";", ",")
NOTES = (nodes.footnote, nodes.citation)
NO_FACTS = frozenset(("orphan", "tocdepth", "nocomments", "nosearch", "no-search"))


class Walk:
    """Adds the nodes of one document to a builder; ``facts`` are what it says about itself."""

    def __init__(self, document: nodes.document, builder: PageBuilder, inline: RstInline) -> None:
        self._document = document
        self._builder = builder
        self._inline = inline
        self._level = 0
        self._line = 1
        self._prefix = ""
        self._lists = 0  # how many lists are under way, one in the other
        self.facts: list[tuple[str, str]] = []
        self._first_field_list = _first_field_list(document)

    def blocks(self, node: nodes.Element) -> None:
        """All that stands under a node."""
        for child, following in zip(node.children, (*node.children[1:], None), strict=False):
            if isinstance(child, nodes.Element):
                self._block(child)
            if isinstance(child, NOTES):
                if isinstance(following, NOTES):
                    self._builder.end_item()
                else:
                    self._builder.end_list()

    def _block(self, node: nodes.Element) -> None:
        if node.line:
            self._line = node.line
        handle = HANDLERS.get(type(node))
        if handle is not None:
            handle(self, node)
        elif isinstance(node, nodes.Admonition):
            self._prefixed(node, node.tagname.capitalize())
        elif isinstance(node, nodes.TextElement) and not isinstance(node, nodes.Invisible):
            self._paragraph(node)
        elif not isinstance(node, nodes.Invisible):
            self.blocks(node)

    def _paragraph(self, node: nodes.Element) -> None:
        self._begin()
        self._add(node)

    def _begin(self) -> None:
        """Opens a block with the words that were waiting for one.

        A block is ended by the next one, so that the end of an item finds it still open.
        """
        self._builder.end_block()
        self._builder.mark(self._line)
        if self._prefix:
            self._builder.add(self._prefix + " ")
            self._prefix = ""

    def _add(self, node: nodes.Element) -> None:
        """The words of an element, each with the line that it stands on."""
        for child, runs in self._inline.children(node):
            line = self._line
            add_runs(self._builder, runs, line)
            # What was put in for a mark may have other line ends than the mark itself.
            raw = child.rawsource if isinstance(child, nodes.Element) else str(child)
            self._line = line + raw.count("\n")

    def _section(self, node: nodes.Element) -> None:
        self._level += 1
        for name in node["ids"]:
            self._builder.anchor(name)
        self.blocks(node)
        self._level -= 1

    def _title(self, node: nodes.Element) -> None:
        if isinstance(node.parent, nodes.admonition):
            self._prefix = _ended(node.astext())
        elif isinstance(node.parent, nodes.section):
            self._builder.open_heading(max(self._level, 1))
            self._builder.mark(self._line)
            self._add(node)
            self._builder.end_block()
        else:
            self._paragraph(node)

    def _target(self, node: nodes.Element) -> None:
        if not node.get("refuri"):
            for name in node["ids"]:
                self._builder.anchor(name)

    def _verbatim(self, node: nodes.Element) -> None:
        self._begin()
        text = "".join(run.text for run in self._inline.runs(node))
        self._line = add_lines(self._builder, text.split("\n"), self._line)

    def _line_block(self, node: nodes.Element) -> None:
        if not isinstance(node.parent, nodes.line_block):
            self._begin()
        for line in node.children:
            if isinstance(line, nodes.line_block):
                self._line_block(line)
            elif isinstance(line, nodes.Element):
                self._line = line.line or self._line
                self._builder.break_line()
                self._add(line)

    def _list(self, node: nodes.Element) -> None:
        if self._lists:
            self._builder.end_item()
        self._lists += 1
        for item in node.children:
            if isinstance(item, nodes.Element):
                self._block(item)
                self._builder.end_item()
        self._lists -= 1
        if not self._lists:
            self._builder.end_list()

    def _definition(self, node: nodes.Element) -> None:
        terms = [child.astext() for child in node.children if isinstance(child, nodes.term)]
        self._prefixed_blocks(", ".join(terms), node, nodes.definition)

    def _field(self, node: nodes.Element) -> None:
        self._prefixed_blocks(node.children[0].astext(), node, nodes.field_body)

    def _option(self, node: nodes.Element) -> None:
        names = node.children[0].astext() if node.children else ""
        options = [option.astext() for option in node.findall(nodes.option)]
        self._prefixed_blocks(", ".join(options) or names, node, nodes.description)

    def _prefixed_blocks(self, term: str, node: nodes.Element, body: type[nodes.Element]) -> None:
        """``term: what is said of it``; a term of which nothing is said stands alone."""
        self._prefix = _ended(" ".join(term.split()))
        for child in node.children:
            if isinstance(child, body):
                self.blocks(child)
        self._flush()

    def _prefixed(self, node: nodes.Element, prefix: str = "") -> None:
        for term in terms_of(node):
            self._builder.anchor(term_id(term))
        self._prefix = _ended(prefix or node.get("prefix", ""))
        self.blocks(node)
        self._flush()

    def _flush(self) -> None:
        if self._prefix:
            self._prefix = self._prefix.removesuffix(":")
            self._begin()

    def _described(self, node: nodes.Element) -> None:
        if _only_names_the_next_section(node):
            return
        for signature in node["signatures"]:
            self._begin()
            self._builder.add(signature)
            self._builder.end_item()
        self.blocks(node)

    def _admonition(self, node: nodes.Element) -> None:
        self.blocks(node)
        self._flush()

    def _field_list(self, node: nodes.Element) -> None:
        if node is self._first_field_list:
            for field in node.children:
                name, body = field.children[0].astext(), field.children[1].astext()
                if name.lower() not in NO_FACTS and body.strip():
                    self.facts.append((name, " ".join(body.split())))
        else:
            self._list(node)

    def _meta(self, node: nodes.Element) -> None:
        if node.get("name") and node.get("content"):
            self.facts.append((node["name"], " ".join(str(node["content"]).split())))

    def _table(self, node: nodes.Element) -> None:
        for title in node.children:
            if isinstance(title, nodes.title):
                self._paragraph(title)
        rows, lines = table_cells(node, self._inline, self._line)
        self._builder.add_table(rows, lines)
        self._line = lines[-1] if lines else self._line

    def _image(self, node: nodes.Element) -> None:
        alt = str(node.get("alt", ""))
        if alt:
            self._begin()
        self._builder.open_picture(str(node.get("uri", "")))
        self._builder.add(alt)
        self._builder.close_picture()

    def _attribution(self, node: nodes.Element) -> None:
        self._begin()
        self._builder.add("— ")
        self._add(node)

    def _citation(self, node: nodes.Element) -> None:
        self._prefix = _ended(f"[{node.children[0].astext()}]" if node.children else "")
        self._footnote(node)

    def _footnote(self, node: nodes.Element) -> None:
        self.blocks(node)
        self._flush()

    def _message(self, node: nodes.Element) -> None:
        """Show what docutils could not read as it is written."""
        for child in node.children:
            if isinstance(child, nodes.literal_block):
                self._verbatim(child)

    def _nothing(self, node: nodes.Element) -> None:
        """Has been read elsewhere, or is not for readers."""


def terms_of(node: nodes.Element) -> list[str]:
    """The terms that an entry of a glossary defines."""
    terms: list[str] = node.get("terms", [])
    return terms


def term_id(term: str) -> str:
    """The fragment that Sphinx gives to a term of a glossary."""
    return f"term-{nodes.make_id(term)}"


def _ended(term: str) -> str:
    return term if not term or term.endswith(ENDS_A_TERM) else f"{term}:"


def _first_field_list(document: nodes.document) -> nodes.field_list | None:
    """The fields at the top: before the title, or right below it."""
    node: nodes.Element = document
    for _ in range(2):
        for child in node.children:
            if isinstance(child, nodes.field_list):
                return child
            if isinstance(child, nodes.section):
                node = child
                break
            if not isinstance(child, nodes.Invisible | nodes.title | nodes.system_message):
                return None
    return None


def _only_names_the_next_section(node: nodes.Element) -> bool:
    """Tell if a directive without content repeats the heading that follows, as index entries do."""
    words = "".join(node["signatures"]) or node.astext()
    if len(node.children) > 1 or len(words) > 200:
        return False
    following = _after(node)
    if not isinstance(following, nodes.section) or not following.children:
        return False
    return words.casefold() in following.children[0].astext().casefold()


def _after(node: nodes.Element) -> nodes.Node | None:
    """The node after one near the end of its section: there, or after the section."""
    rest = node.parent.children[-3:] if node.parent else []
    if node not in rest:
        return None
    for following in rest[rest.index(node) + 1 :]:
        if not isinstance(following, nodes.target):
            return following
    section = node.parent
    while section.parent is not None:
        at = section.parent.index(section) + 1
        if at < len(section.parent.children):
            return section.parent.children[at]
        section = section.parent
    return None


Handle = Callable[[Walk, nodes.Element], None]
HANDLERS: dict[type[nodes.Element], Handle] = {
    nodes.section: Walk._section,
    nodes.title: Walk._title,
    nodes.target: Walk._target,
    nodes.literal_block: Walk._verbatim,
    nodes.doctest_block: Walk._verbatim,
    nodes.math_block: Walk._verbatim,
    nodes.line_block: Walk._line_block,
    nodes.bullet_list: Walk._list,
    nodes.enumerated_list: Walk._list,
    nodes.definition_list: Walk._list,
    nodes.definition_list_item: Walk._definition,
    nodes.option_list: Walk._list,
    nodes.option_list_item: Walk._option,
    nodes.field_list: Walk._field_list,
    nodes.field: Walk._field,
    nodes.admonition: Walk._admonition,
    nodes.table: Walk._table,
    nodes.image: Walk._image,
    nodes.attribution: Walk._attribution,
    nodes.citation: Walk._citation,
    nodes.footnote: Walk._footnote,
    nodes.system_message: Walk._message,
    nodes.meta: Walk._meta,
    nodes.label: Walk._nothing,
    nodes.raw: Walk._nothing,
    nodes.substitution_definition: Walk._nothing,
    prefixed: Walk._prefixed,
    described: Walk._described,
}


def docutils_page(file: str, title: str, text: str) -> Page | None:
    """The page; None if docutils cannot read the text, or not in bounded time."""
    try:
        document = parse_document(text)
        if included := _only_includes(document):
            return Page(file, Document(title, ""), leads_to=included)
        targets = RstTargets(document)
        inline = RstInline(document, targets)
        builder = PageBuilder(_title(document, inline) or title)
        walk = Walk(document, builder, inline)
        walk.blocks(document)
    except (RecursionError, UnreadableRstError):
        return None
    add_facts(builder, (Fact(*fact) for fact in walk.facts))
    terms = [term for node in document.findall(prefixed) for term in terms_of(node)]
    labels = (*targets.labels, *((f"term:{term}", term_id(term)) for term in terms))
    return builder.page(file, labels=labels)


def _title(document: nodes.document, inline: RstInline) -> str:
    """The first heading, whatever stands before it."""
    for section in document.findall(nodes.section):
        words = "".join(run.text for run in inline.runs(section.children[0]))
        return " ".join(words.split())
    return str(document.get("title", ""))


def _only_includes(document: nodes.document) -> str:
    """The path of the one file that is included where a page has nothing else to read."""
    shown = [child for child in document.children if not isinstance(child, nodes.Invisible)]
    only = shown[0] if len(shown) == 1 else None
    return str(only.get("included", "")) if isinstance(only, nodes.Element) else ""


LARGEST = 2 << 20
"""Bytes that docutils is given: it reads some hundred kilobytes a second."""
CODE = re.compile(r"\s*(?:[<;@$]|//|/\*|#(?!#{3}))")
"""The beginnings of files that are named ``.inc`` as well, and are code."""


def parse_rst(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that a file makes; what would take docutils too long is read as it is."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    if not text.strip():
        yield Skipped(entry.name, "it has no text")
        return
    if entry.name.lower().endswith(".inc") and CODE.match(text):
        yield Skipped(entry.name, "it is code, not reStructuredText")
        return

    title = words_of(entry.name)
    page = docutils_page(entry.name, title, text) if len(text) <= LARGEST else None
    page = page or verbatim_page(entry.name, title, text)
    yield page if page.document.text or page.leads_to else Skipped(entry.name, "it has no text")
