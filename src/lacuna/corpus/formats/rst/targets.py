"""What the references of one document lead to."""

from __future__ import annotations

from docutils import nodes

from lacuna.corpus.pages.page import LinkKind

LONGEST_CHAIN = 20


class RstTargets:
    """Where references lead, the labels that others may use, and their titles."""

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
        """Where a reference leads; an empty target if nobody can know."""
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
