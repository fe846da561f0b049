"""Documents of a corpus, as the interface shows them."""

from __future__ import annotations

from typing import cast

from lacuna.places import Place
from lacuna.server.exploring.blocks import blocks_of, styles_of
from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.pictures.finding import content, shown_picture, shown_pictures
from lacuna.server.pictures.raster import raster_of
from lacuna.server.refusals import Refusal, no_document
from lacuna.server.schemas.base import PlaceSchema
from lacuna.server.schemas.documents import (
    DocumentSchema,
    LinkSchema,
    PictureSchema,
    SectionSchema,
)
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
        blocks=blocks_of(document, _pictures(corpus, document)),
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


def _pictures(corpus: OpenCorpus, document: Document) -> list[PictureSchema]:
    return [
        PictureSchema(
            number=found.number,
            start=found.picture.start,
            end=found.picture.end,
            name=found.path.name,
            width=found.raster.width,
            height=found.raster.height,
        )
        for found in shown_pictures(document, corpus.picture_folders)
    ]


def picture_of(corpus: OpenCorpus, title: str, number: int) -> tuple[bytes, str]:
    """A picture of a document, and what it is; refused where there is none that can be shown."""
    found = shown_picture(found_document(corpus, title), number, corpus.picture_folders)
    if found and (data := content(found.path)) and (raster := raster_of(data)):
        return data, raster.media_type
    raise Refusal(404, "no-picture", f"“{title}” shows no picture of number {number}.")


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
