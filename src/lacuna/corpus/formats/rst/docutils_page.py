"""What docutils reads in a file, as a page."""

from __future__ import annotations

from docutils import nodes

from lacuna.corpus.formats.rst.directives import prefixed
from lacuna.corpus.formats.rst.docutils_parser import UnreadableRstError, parse_document
from lacuna.corpus.formats.rst.inline import RstInline
from lacuna.corpus.formats.rst.targets import RstTargets
from lacuna.corpus.formats.rst.walk import Walk, term_id, terms_of
from lacuna.corpus.pages.facts import Fact, add_facts
from lacuna.corpus.pages.page import Page
from lacuna.corpus.pages.page_builder import PageBuilder


def docutils_page(file: str, title: str, text: str) -> Page | None:
    """The page; None if docutils cannot read the text, or not in bounded time."""
    try:
        document = parse_document(text)
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
    """The first heading, unless text stands before it."""
    for child in document.children:
        if isinstance(child, nodes.section):
            words = "".join(run.text for run in inline.runs(child.children[0]))
            return " ".join(words.split())
        if not isinstance(child, nodes.Invisible | nodes.field_list | nodes.system_message):
            break
    return str(document.get("title", ""))
