"""Routes: the documents of a corpus, and what is found among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response

from lacuna.corpus.titles import search_titles
from lacuna.server.exploring.documents import document_schema, picture_of, preview
from lacuna.server.exploring.links import document_links, link_path, neighbourhood
from lacuna.server.exploring.passages import find_passages
from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.routes.refused import GONE, NOT_FOUND, refused
from lacuna.server.schemas.corpora import TitlesSchema
from lacuna.server.schemas.documents import DocumentSchema, PictureQuery, TitleQuery
from lacuna.server.schemas.exploring import (
    DocumentLinks,
    LinkPath,
    LinksQuery,
    Neighbourhood,
    NeighbourhoodQuery,
    PassageHits,
    PathQuery,
    PreviewSchema,
    SearchQuery,
    TitlesQuery,
)
from lacuna.server.services import AppServices, CorpusId, Person, Services, lookup

T = TypeVar("T")
MEDIA_TYPES = ("image/gif", "image/jpeg", "image/png", "image/webp")
router = APIRouter(
    prefix="/corpora/{corpus}", tags=["Documents"], responses=refused(NOT_FOUND, GONE)
)


@router.get("/titles")
async def titles(
    corpus: CorpusId, asked: Annotated[TitlesQuery, Query()], services: AppServices, person: Person
) -> TitlesSchema:
    """Titles that begin with, hold, or come near to what is typed; without it the first ones."""
    return await _found(
        corpus,
        services,
        person,
        lambda opened: TitlesSchema(
            titles=search_titles(opened.answerer.store, asked.q, asked.limit)
        ),
    )


@router.get("/search")
async def search(
    corpus: CorpusId, asked: Annotated[SearchQuery, Query()], services: AppServices, person: Person
) -> PassageHits:
    """Passages with these words, the best first, each with a snippet and where the words stand."""
    return await _found(corpus, services, person, lambda opened: find_passages(opened, asked))


@router.get("/document")
async def document(
    corpus: CorpusId, asked: Annotated[TitleQuery, Query()], services: AppServices, person: Person
) -> DocumentSchema:
    """A document: its text, the blocks that it is made of, and where its links lead."""
    return await _found(
        corpus, services, person, lambda opened: document_schema(opened, asked.title)
    )


@router.get("/preview")
async def preview_document(
    corpus: CorpusId, asked: Annotated[TitleQuery, Query()], services: AppServices, person: Person
) -> PreviewSchema:
    """How a document begins, for who points at a link."""
    return await _found(corpus, services, person, lambda opened: preview(opened, asked.title))


@router.get(
    "/picture",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in MEDIA_TYPES}}},
)
async def picture(
    corpus: CorpusId, asked: Annotated[PictureQuery, Query()], services: AppServices, person: Person
) -> Response:
    """A picture that a document shows: PNG, JPEG, GIF or WebP, by what its bytes say."""
    data, media_type = await _found(
        corpus, services, person, lambda opened: picture_of(opened, asked.title, asked.number)
    )
    return Response(data, media_type=media_type)


@router.get("/links")
async def links(
    corpus: CorpusId, asked: Annotated[LinksQuery, Query()], services: AppServices, person: Person
) -> DocumentLinks:
    """The links of a document, and those that lead back to it."""
    return await _found(corpus, services, person, lambda opened: document_links(opened, asked))


@router.get("/path")
async def path(
    corpus: CorpusId, asked: Annotated[PathQuery, Query()], services: AppServices, person: Person
) -> LinkPath:
    """A shortest way along links from one document to another."""
    return await _found(corpus, services, person, lambda opened: link_path(opened, asked))


@router.get("/graph")
async def graph(
    corpus: CorpusId,
    asked: Annotated[NeighbourhoodQuery, Query()],
    services: AppServices,
    person: Person,
) -> Neighbourhood:
    """The documents around a document, and the links between them all."""
    return await _found(corpus, services, person, lambda opened: neighbourhood(opened, asked))


async def _found(
    corpus: str, services: Services, person: str, find: Callable[[OpenCorpus], T]
) -> T:
    return await lookup(services, lambda: find(services.corpora.get(corpus, person)))
