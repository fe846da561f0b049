"""Cut a part out of a document, with its sentences, links, paragraphs and sections."""

from __future__ import annotations

from dataclasses import replace

from lacuna.corpus.mining.link_graph import Resolve
from lacuna.types import Document, Span


def excerpt(document: Document, span: Span) -> Document:
    """A document of its own from ``text[start:end]``; its offsets count from there.

    Sentences, links and paragraphs that do not lie wholly inside are left out; sections that
    reach over its ends are cut off there. Where the excerpt begins in the whole document is
    for the caller to keep.
    """
    start, end = span
    return Document(
        document.title,
        document.text[start:end],
        tuple(Span(a - start, b - start) for a, b in document.sentences if start <= a and b <= end),
        tuple(
            replace(link, start=link.start - start, end=link.end - start)
            for link in document.links
            if start <= link.start and link.end <= end
        ),
        tuple(
            Span(a - start, b - start) for a, b in document.paragraphs if start <= a and b <= end
        ),
        tuple(
            replace(
                section,
                start=max(section.start, start) - start,
                end=min(section.end, end) - start,
            )
            for section in document.sections
            if section.start < end and section.end > start
        ),
    )


def paragraphs_of(document: Document) -> tuple[Span, ...]:
    """The paragraphs that are not blank; a document that knows of none is one paragraph."""
    spans = document.paragraphs or (Span(0, len(document.text)),)
    return tuple(span for span in spans if document.text[span.start : span.end].strip())


def first_paragraph(document: Document) -> Document:
    """What HotpotQA's graph and a QuAC student see of an article; empty if there is no text."""
    return excerpt(document, next(iter(paragraphs_of(document)), Span(0, 0)))


def other_articles(document: Document, resolve: Resolve | None = None) -> list[str]:
    """The titles that a document links to, each once, in order; links to itself do not count.

    With ``resolve``, these are the titles of the documents that the links lead to, and links
    that lead nowhere do not count.
    """
    targets = (link.target for link in document.links)
    titles = targets if resolve is None else map(resolve, targets)
    return [title for title in dict.fromkeys(titles) if title and title != document.title]
