"""The paragraphs of a document, and the articles that one links to."""

from __future__ import annotations

from collections.abc import Callable

from lacuna.corpus.excerpt import Excerpt
from lacuna.types import Document, Span

ResolveTitle = Callable[[str], str | None]
"""The title of the document that a link target leads to (through redirects, say), or None."""


def paragraphs_of(document: Document) -> tuple[Span, ...]:
    """The paragraphs that are not blank; a document that knows of none is one paragraph."""
    spans = document.paragraphs or (Span(0, len(document.text)),)
    return tuple(span for span in spans if document.text[span.start : span.end].strip())


def first_paragraph(document: Document) -> Document:
    """What HotpotQA's graph and a QuAC student see of an article; empty if there is no text."""
    return Excerpt.of(document, paragraphs_of(document)[:1]).document


def other_articles(document: Document, resolve: ResolveTitle | None = None) -> list[str]:
    """The titles that a document links to, each once, in order; links to itself do not count.

    With ``resolve``, these are the titles of the documents that the links lead to, and links
    that lead nowhere do not count.
    """
    targets = (link.target for link in document.links)
    titles = targets if resolve is None else map(resolve, targets)
    return [title for title in dict.fromkeys(titles) if title and title != document.title]
