"""From docutils' tree to a page: which block each node becomes, and on which line it stands."""

from __future__ import annotations

from collections.abc import Callable

from docutils import nodes

from lacuna.corpus.formats.rst.directives import described, prefixed
from lacuna.corpus.formats.rst.inline import RstInline
from lacuna.corpus.formats.rst.tables import table_cells
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.runs import add_lines, add_runs

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
        """What docutils could not read is shown as it is written."""
        for child in node.children:
            if isinstance(child, nodes.literal_block):
                self._verbatim(child)

    def _nothing(self, node: nodes.Element) -> None:
        """Has been read elsewhere, or is not for readers."""


def terms_of(node: nodes.Element) -> list[str]:
    """What an entry of a glossary defines."""
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
    """Whether a directive without content repeats the heading that follows, as index entries do."""
    words = "".join(node["signatures"]) or node.astext()
    if len(node.children) > 1 or len(words) > 200:
        return False
    following = _after(node)
    if not isinstance(following, nodes.section) or not following.children:
        return False
    return words.casefold() in following.children[0].astext().casefold()


def _after(node: nodes.Element) -> nodes.Node | None:
    """What stands after a node near the end of its section: there, or after the section."""
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
