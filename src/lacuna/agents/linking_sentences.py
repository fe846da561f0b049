"""The sentences in which one document links to others."""

from __future__ import annotations

from lacuna.agents.sources import CitedSource
from lacuna.corpus.store import Store
from lacuna.pipeline.quotes import sentence_around
from lacuna.types import Document, Link


def cited_link(document: Document, link: Link, *, local: bool) -> CitedSource:
    """The sentence that a link stands in."""
    return CitedSource.at(document, sentence_around(document, link.start, link.end), local=local)


def link_between(store: Store, document: Document, title: str) -> Link | None:
    """The first link of a document that leads to the one of that title."""
    known = store.known({link.target for link in document.links})
    return next((link for link in document.links if known.get(link.target) == title), None)
