"""Where a talk is: the documents in which a follow-up is most likely answered."""

from __future__ import annotations

from lacuna.corpus.excerpt import Excerpt
from lacuna.corpus.passages import SectionFinder
from lacuna.corpus.store import Store
from lacuna.pipeline.query import Query
from lacuna.types import Document, Evidence, Span

MOST = 8000
"""Characters; of a longer document only the section is read, or how it begins."""


def dialog_places(store: Store, asked: Query, topic: str) -> list[Excerpt]:
    """What the talk was begun on, else where the last answer stood; then the topic's document."""
    last = _last_place(asked)
    begun = asked.title or (last.document if last else "")
    documents = [_document(store, asked.context, title) for title in (begun, topic) if title]
    if asked.context is not None:
        documents.insert(0, asked.context)
    once = {document.title: document for document in reversed(documents) if document}
    return [_excerpt(document, last) for document in reversed(once.values())]


def _last_place(asked: Query) -> Evidence | None:
    places = (turn.answer.found_at for turn in reversed(asked.history) if turn.answer)
    return next((found[0] for found in places if found), None)


def _document(store: Store, passage: Document | None, title: str) -> Document | None:
    if passage is not None and passage.title == title:
        return passage
    found = store.resolve(title)
    return None if found is None else store.document(found)


def _excerpt(document: Document, last: Evidence | None) -> Excerpt:
    if len(document.text) <= MOST:
        return Excerpt.of(document, [(0, len(document.text))])
    section = None
    if last is not None and last.document == document.title:
        section = SectionFinder(document).at(last.start)
    if section is not None and section.end - section.start <= MOST:
        return Excerpt.of(document, [(section.start, section.end)])
    ends = [one.end for one in document.paragraphs if one.end <= MOST]
    return Excerpt.of(document, [Span(0, max(ends, default=MOST))])
