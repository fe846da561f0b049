"""Documents of a corpus, as the interface shows them."""

from __future__ import annotations

from typing import cast

from lacuna.places import Place
from lacuna.server.exploring.blocks import blocks_of, styles_of
from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.refusals import no_document
from lacuna.server.schemas.base import PlaceSchema
from lacuna.server.schemas.documents import DocumentSchema, LinkSchema, SectionSchema
from lacuna.server.schemas.exploring import PreviewSchema
from lacuna.server.shown_places import place_for_others
from lacuna.types import Document

LONGEST_PREVIEW = 400
"""Characters."""


def found_document(corpus: OpenCorpus, title: str) -> Document:
    """The document that a title leads to; refused where there is none."""
    store = corpus.answerer.store
    if title not in store:
        raise no_document(corpus.name, title)
    return store.document(title)


def document_schema(corpus: OpenCorpus, title: str) -> DocumentSchema:
    """A document with all of its parts."""
    document = found_document(corpus, title)
    return DocumentSchema(
        corpus=corpus.id,
        title=document.title,
        text=document.text,
        blocks=blocks_of(document),
        styles=styles_of(document),
        paragraphs=list(document.paragraphs),
        sentences=list(document.sentences),
        sections=[
            SectionSchema(path=list(section.path), start=section.start, end=section.end)
            for section in document.sections
        ],
        links=links_of(corpus, document),
        place=place_schema(corpus, document.origin.at(0) if document.origin else None),
    )


def links_of(corpus: OpenCorpus, document: Document) -> list[LinkSchema]:
    """The links of a document, with where each leads."""
    titles = corpus.answerer.store.known({link.target for link in document.links})
    return [
        LinkSchema(
            start=link.start, end=link.end, target=link.target, title=titles.get(link.target)
        )
        for link in document.links
    ]


def preview(corpus: OpenCorpus, title: str) -> PreviewSchema:
    """How a document begins."""
    document = found_document(corpus, title)
    start, end = document.paragraphs[0] if document.paragraphs else (0, len(document.text))
    first = document.text[start:end]
    shown = first
    if len(first) > LONGEST_PREVIEW:
        shown = first[:LONGEST_PREVIEW].rsplit(None, 1)[0]
    return PreviewSchema(
        title=document.title,
        text=shown,
        whole=shown == first,
        documents_back=corpus.answerer.store.graph().in_link_count(document.title),
    )


def place_schema(corpus: OpenCorpus, place: Place | None) -> PlaceSchema | None:
    """A place as whoever asks may see it."""
    shown = place if corpus.local else place_for_others(place)
    return None if shown is None else cast(PlaceSchema, shown.as_json())
