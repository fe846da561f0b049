"""Routes: the server, and its corpora."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, File, Request, Response, UploadFile

from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.routes.refused import GONE, NOT_FOUND, refused
from lacuna.server.schemas.choices import ChoiceRequest
from lacuna.server.schemas.corpora import (
    CorpusSchema,
    FolderRequest,
    ServerSchema,
    TogetherRequest,
)
from lacuna.server.services import AppServices, CorpusId, Person, Services, lookup, unless_gone
from lacuna.server.uploads import taken_suffixes
from lacuna.version import __version__

NOT_TAKEN = {415: "No file of a kind that can be read"}
EXAMPLE_WITH_CHOICES = ChoiceRequest(
    question="Through which of these would heat pass quickly?",
    fact="heat passes quickly through metals",
    choices=["a wooden spoon", "a steel ladle", "a woollen mitten", "a rubber ball"],
)
Files = Annotated[list[UploadFile], File(description="Files of any kind that can be read.")]
router = APIRouter(tags=["Corpora"])


@router.get("/server")
async def server(services: AppServices, person: Person) -> ServerSchema:
    """What this server is, may do, and takes on."""
    limits = services.limits
    return ServerSchema(
        version=__version__,
        default=services.corpora.default,
        person=person if services.several_people else "",
        opens_folders=bool(services.folders),
        folders=services.folders.names() if services.local else [],
        longest_question=limits.question,
        longest_fact=limits.fact,
        longest_choice=limits.choice,
        most_choices=limits.choices,
        example_with_choices=EXAMPLE_WITH_CHOICES,
        largest_upload=limits.upload,
        upload_suffixes=taken_suffixes(),
        models=list(services.models),
        watches=services.watches,
        upload_hours=limits.upload_hours,
        feedback=services.feedback.is_taken,
        limits=limits,
        corpora=await lookup(services, services.corpora.public),
    )


@router.post("/corpora/folder", responses=refused(NOT_TAKEN), response_model=CorpusSchema)
async def open_folder(
    folder: FolderRequest, request: Request, services: AppServices
) -> CorpusSchema | Response:
    """Open a folder of the server's machine; only one that the server was told to allow."""
    return await _indexed(
        request, services, lambda: services.opener.open_folder(folder.path, services.corpora)
    )


@router.post("/corpora/upload", responses=refused(NOT_TAKEN), response_model=CorpusSchema)
async def upload(
    files: Files, request: Request, services: AppServices, person: Person
) -> CorpusSchema | Response:
    """Make a corpus of documents, or of a `.zip` of them; it is deleted after a while.

    `upload_suffixes` of `/api/v1/server` says what can be read; `skipped` names what could not be.
    Only who uploaded it, with the same token, can see it, and only by its id.
    """
    return await _indexed(request, services, lambda: _upload(files, services, person))


@router.post("/corpora/together", responses=refused(NOT_FOUND, GONE), response_model=CorpusSchema)
async def open_together(
    wanted: TogetherRequest, request: Request, services: AppServices, person: Person
) -> CorpusSchema | Response:
    """Make one corpus of several, to be asked together; quotes say which of them they are from.

    It is a copy of them as they are now, for one person, and is deleted like an upload.
    """
    opener, corpora = services.opener, services.corpora
    return await _indexed(
        request, services, lambda: opener.open_together(wanted.corpora, corpora, person)
    )


@router.get("/corpora/{corpus}", responses=refused(NOT_FOUND, GONE))
async def corpus(corpus: CorpusId, services: AppServices, person: Person) -> CorpusSchema:
    """One corpus."""
    return await lookup(services, lambda: services.corpora.get(corpus, person).schema())


@router.delete("/corpora/{corpus}", status_code=204, responses=refused(NOT_FOUND, GONE))
async def delete_upload(corpus: CorpusId, services: AppServices, person: Person) -> None:
    """Delete an upload before its time, with all that was read from it."""
    await lookup(services, lambda: services.corpora.delete(corpus, person))


def _upload(files: list[UploadFile], services: Services, person: str) -> OpenCorpus:
    with services.opener.folder_for_files() as folder:
        named = []
        for number, file in enumerate(files):
            path = folder / str(number)  # a name of ours: theirs is not to be trusted
            with path.open("wb") as out:
                shutil.copyfileobj(file.file, out)
            named.append((file.filename or "", path))
        return services.opener.open_upload(named, services.corpora, person)


async def _indexed(
    request: Request, services: Services, open_corpus: Callable[[], OpenCorpus]
) -> CorpusSchema | Response:
    """The corpus when its turn has come; who is gone by then gets none."""
    future = services.indexing.join(lambda: open_corpus().schema())
    try:
        return await unless_gone(request, asyncio.wrap_future(future))
    finally:
        services.indexing.leave(future)
