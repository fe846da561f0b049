"""The words of an element, with its links, as runs of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes

from lacuna.corpus.formats.rst.targets import RstTargets
from lacuna.corpus.pages.table import Run

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
        """What is to be read of a node; the ends of its lines are kept."""
        if isinstance(node, nodes.Text):
            code = isinstance(node.parent, nodes.literal | nodes.FixedTextElement)
            yield Run(str(node) if code else str(node).replace(" --- ", " — "))
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
        """What is inside an element, piece by piece; a footnote's mark leaves no space behind."""
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
                child, nodes.TextElement | nodes.Invisible
            ):
                yield from self.cell(child)
            else:
                yield from self.runs(child)
            yield Run(" ")

    def _reference(self, node: nodes.reference, depth: int) -> Iterator[Run]:
        target, kind = self._targets.of(node)
        if node.get("implied"):
            yield Run(self._targets.titles.get(target, node.astext()), target, kind)
            return
        text = "".join(run.text for child in node.children for run in self.runs(child, depth))
        yield Run(text, target, kind)

    def _substitution(self, node: nodes.substitution_reference, depth: int) -> Iterator[Run]:
        name = str(node.get("refname", ""))
        definition = self._definitions.get(name) or self._definitions.get(
            self._lower.get(name.lower(), "")
        )
        if definition is None or depth >= DEEPEST or self._room < 0:
            yield Run(node.astext())
            return
        for child in definition.children:
            for run in self.runs(child, depth + 1):
                self._room -= 1 + len(run.text)
                if self._room < 0:
                    return
                yield run
