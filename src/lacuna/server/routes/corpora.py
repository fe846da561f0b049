"""Routes: corpora and their documents."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, UploadFile

from lacuna.corpus.titles import search_titles
from lacuna.server.choice_schemas import ChoiceRequest
from lacuna.server.corpus_schemas import (
    CorpusSchema,
    DocumentSchema,
    FolderRequest,
    ServerSchema,
    TitlesSchema,
)
from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.refusals import Problem, no_document
from lacuna.server.services import AppServices, Services
from lacuna.server.uploads import taken_suffixes
from lacuna.version import __version__

T = TypeVar("T")
NOT_THERE: dict[int | str, dict[str, object]] = {
    404: {"model": Problem, "description": "The corpus or document is not there"},
    410: {"model": Problem, "description": "The corpus was deleted while the server was running"},
}
NOT_TAKEN: dict[int | str, dict[str, object]] = {
    413: {"model": Problem, "description": "Too large"},
    415: {"model": Problem, "description": "No file of a kind that can be read"},
    422: {"model": Problem, "description": "Nothing in it can be read"},
    503: {"model": Problem, "description": "Another corpus is being indexed; try again"},
}
EXAMPLE_WITH_CHOICES = ChoiceRequest(
    question="Through which of these would heat pass quickly?",
    fact="heat passes quickly through metals",
    choices=["a wooden spoon", "a steel ladle", "a woollen mitten", "a rubber ball"],
)
router = APIRouter(prefix="/api", tags=["Corpora"])


@router.get("/server")
async def server(services: AppServices) -> ServerSchema:
    """What this server is, and may do."""
    limits = services.limits
    return ServerSchema(
        version=__version__,
        default=services.corpora.default,
        opens_folders=bool(services.folders),
        folders=services.folders.names() if services.local else [],
        longest_question=limits.question,
        longest_fact=limits.fact,
        longest_choice=limits.choice,
        most_choices=limits.choices,
        example_with_choices=EXAMPLE_WITH_CHOICES,
        largest_upload=limits.upload,
        upload_suffixes=taken_suffixes(),
        watches=services.watches,
        upload_hours=limits.upload_hours,
        corpora=await _lookup(services, services.corpora.public),
    )


@router.post("/corpora/folder", responses={403: {"model": Problem}, **NOT_TAKEN})
async def open_folder(folder: FolderRequest, services: AppServices) -> CorpusSchema:
    """Open a folder of the server's machine; only one that the server was told to allow."""
    return await _indexed(
        services, lambda: services.opener.open_folder(folder.path, services.corpora)
    )


@router.post("/corpora/upload", responses=NOT_TAKEN)
async def upload(files: list[UploadFile], services: AppServices) -> CorpusSchema:
    """Make a corpus of documents, or of a `.zip` of them; it is deleted after a while.

    `upload_suffixes` of `/api/server` says what can be read; `skipped` names what could not be.
    """
    return await _indexed(services, lambda: _upload(files, services))


@router.get("/corpora/{corpus}", responses=NOT_THERE)
async def corpus(corpus: str, services: AppServices) -> CorpusSchema:
    """One corpus."""
    return await _lookup(services, lambda: services.corpora.get(corpus).schema())


@router.get("/corpora/{corpus}/titles", responses=NOT_THERE)
async def titles(
    corpus: str,
    services: AppServices,
    q: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 12,
) -> TitlesSchema:
    """Titles that begin with, hold, or come near to what is typed; without it the first ones."""
    store = services.corpora.get(corpus).answerer.store
    return TitlesSchema(titles=await _lookup(services, lambda: search_titles(store, q, limit)))


@router.get("/corpora/{corpus}/document", responses=NOT_THERE)
async def document(
    corpus: str, title: Annotated[str, Query(max_length=1000)], services: AppServices
) -> DocumentSchema:
    """A document, with where its links lead."""
    opened = services.corpora.get(corpus)

    def look_up() -> DocumentSchema:
        store = opened.answerer.store
        if title not in store:
            raise no_document(opened.name, title)
        return DocumentSchema.of(store.document(title), store, opened.id, local=opened.local)

    return await _lookup(services, look_up)


def _upload(files: list[UploadFile], services: Services) -> OpenCorpus:
    with services.opener.folder_for_files() as folder:
        named = []
        for number, file in enumerate(files):
            path = folder / str(number)  # a name of ours: theirs is not to be trusted
            with path.open("wb") as out:
                shutil.copyfileobj(file.file, out)
            named.append((file.filename or "", path))
        return services.opener.open_upload(named, services.corpora)


async def _indexed(services: Services, open_corpus: Callable[[], OpenCorpus]) -> CorpusSchema:
    return await asyncio.wrap_future(services.indexing.join(lambda: open_corpus().schema()))


async def _lookup(services: Services, look_up: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(services.lookups, look_up)
