"""Seed paragraphs: those with enough links to ask across articles (IIRC, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lacuna.corpus.excerpt import Cutter
from lacuna.corpus.mining.paragraphs import ResolveTitle, other_articles, paragraphs_of
from lacuna.types import Document, Span

FEWEST_LINKS = 10


@dataclass(frozen=True, slots=True)
class Seed:
    """A paragraph as a document of its own, and where it stands in its article."""

    context: Document
    span: Span
    targets: tuple[str, ...]
    """The other articles that it links to, each once."""


def seeds(
    documents: Iterable[Document],
    resolve: ResolveTitle | None = None,
    fewest_links: int = FEWEST_LINKS,
) -> Iterator[Seed]:
    """Paragraphs with links to at least so many other articles, in the order of the documents.

    An article linked twice counts once: it is one place to look. With ``resolve``, only links
    that lead to a document count, so that every linked article can really be read.
    """
    for document in documents:
        cutter = Cutter(document)
        for span in paragraphs_of(document):
            context = cutter.cut([span]).document
            targets = tuple(other_articles(context, resolve))
            if len(targets) >= fewest_links:
                yield Seed(context, span, targets)
