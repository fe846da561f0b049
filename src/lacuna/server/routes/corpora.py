"""Routes: corpora and their documents."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, UploadFile

from lacuna.corpus.titles import search_titles
from lacuna.server.answer_json import tell_document
from lacuna.server.examples import WITH_CHOICES
from lacuna.server.refusals import Problem, Refusal, no_document
from lacuna.server.schemas import CorpusTold, DocumentTold, FolderToOpen, ServerTold, TitlesTold
from lacuna.server.services import Services, Using
from lacuna.version import __version__

T = TypeVar("T")
NOT_THERE: dict[int | str, dict[str, object]] = {
    404: {"model": Problem, "description": "The corpus or document is not there"},
    410: {"model": Problem, "description": "The corpus was deleted while the server was running"},
}
NOT_TAKEN: dict[int | str, dict[str, object]] = {
    413: {"model": Problem, "description": "Too large"},
    415: {"model": Problem, "description": "Not pages"},
    422: {"model": Problem, "description": "Nothing in it can be read"},
    503: {"model": Problem, "description": "Another corpus is being read; try again"},
}
router = APIRouter(prefix="/api", tags=["Corpora"])


@router.get("/server")
async def server(using: Using) -> ServerTold:
    """What this server is, and may do."""
    return ServerTold(
        version=__version__,
        default=using.shelf.default,
        opens_folders=using.opens_folders,
        longest_question=using.limits.question,
        longest_fact=using.limits.fact,
        longest_choice=using.limits.choice,
        most_choices=using.limits.choices,
        example_with_choices=WITH_CHOICES,
        largest_upload=using.limits.upload,
        upload_hours=using.limits.upload_hours,
        corpora=await _soon(using, using.shelf.public),
    )


@router.post("/corpora/folder", responses={403: {"model": Problem}, **NOT_TAKEN})
async def open_folder(folder: FolderToOpen, using: Using) -> CorpusTold:
    """Open a folder of the server's machine; only where the server is bound to loopback."""
    if not using.opens_folders:
        raise Refusal(
            403,
            "no-folders",
            "This server can be reached from other machines, so it opens no folders of its own. "
            "Upload the files.",
        )
    return await asyncio.to_thread(
        lambda: using.librarian.open_folder(folder.path, using.shelf).told()
    )


@router.post("/corpora/upload", responses=NOT_TAKEN)
async def upload(files: list[UploadFile], using: Using) -> CorpusTold:
    """Make a corpus of `.md`, `.html` and `.zip` files; it is deleted after a while."""
    return await asyncio.to_thread(_upload, files, using)


@router.get("/corpora/{corpus}", responses=NOT_THERE)
async def corpus(corpus: str, using: Using) -> CorpusTold:
    """One corpus."""
    return await _soon(using, lambda: using.shelf.get(corpus).told())


@router.get("/corpora/{corpus}/titles", responses=NOT_THERE)
async def titles(
    corpus: str,
    using: Using,
    q: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 12,
) -> TitlesTold:
    """Titles that begin with, hold, or come near to what is typed; without it the first ones."""
    found = using.shelf.get(corpus)
    return TitlesTold(titles=await _soon(using, lambda: search_titles(found.asks.store, q, limit)))


@router.get("/corpora/{corpus}/document", responses=NOT_THERE)
async def document(
    corpus: str, title: Annotated[str, Query(max_length=1000)], using: Using
) -> DocumentTold:
    """A document, with where its links lead."""
    found = using.shelf.get(corpus)

    def look_up() -> DocumentTold:
        store = found.asks.store
        if title not in store:
            raise no_document(found.name, title)
        return tell_document(store.document(title), store, found.id)

    return await _soon(using, look_up)


def _upload(files: list[UploadFile], using: Services) -> CorpusTold:
    with tempfile.TemporaryDirectory(prefix="lacuna-upload-") as folder:
        named = []
        for number, file in enumerate(files):
            path = Path(folder) / str(number)  # a name of ours: theirs is not to be trusted
            with path.open("wb") as out:
                shutil.copyfileobj(file.file, out)
            named.append((file.filename or "", path))
        return using.librarian.open_upload(named, using.shelf).told()


async def _soon(using: Services, look_up: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(using.lookups, look_up)
