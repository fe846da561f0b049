"""The app: everything put together."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from lacuna.server.answer_cache import AnswerCache
from lacuna.server.choice_service import ChoiceService, OpenGaps
from lacuna.server.corpus_opener import CorpusOpener, MakeAsker, OpenStore
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.question_service import QuestionService
from lacuna.server.refusals import answer_refusals
from lacuna.server.routes import ask as ask_routes
from lacuna.server.routes import choices as choice_routes
from lacuna.server.routes import corpora as corpus_routes
from lacuna.server.routes.pages import add_pages
from lacuna.server.security import Guard
from lacuna.server.services import Services
from lacuna.server.work_queue import WorkQueue
from lacuna.version import __version__

LOOKUP_THREADS = 2


def make_app(
    corpus: Path | None,
    open_store: OpenStore,
    make_asker: MakeAsker,
    open_gaps: OpenGaps,
    *,
    loopback_only: bool = True,
    workers: int = 1,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
) -> FastAPI:
    """The app over a corpus, or over the demo; it holds the corpus open from now on.

    ``open_gaps`` is called for the first question with choices.
    """
    uploads = tempfile.TemporaryDirectory(prefix="lacuna-uploads-", ignore_cleanup_errors=True)
    librarian = CorpusOpener(open_store, make_asker, Path(uploads.name), limits)
    shelf = OpenCorpora(
        librarian.first(corpus), room=limits.corpora, upload_hours=limits.upload_hours
    )
    kept = AnswerCache(limits.answers)
    line = WorkQueue(workers, limits.waiting)
    lookups = ThreadPoolExecutor(LOOKUP_THREADS, "lookup")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        line.close()
        lookups.shutdown(wait=False, cancel_futures=True)
        uploads.cleanup()

    app = FastAPI(
        title="Lacuna",
        summary="Typed answers with their evidence, or what is missing.",
        version=__version__,
        docs_url=None,  # FastAPI's own pages load their scripts from afar
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = Services(
        shelf=shelf,
        librarian=librarian,
        kept=kept,
        desk=QuestionService(shelf, kept, line, limits),
        choices=ChoiceService(open_gaps, line, limits),
        limits=limits,
        opens_folders=loopback_only,
        lookups=lookups,
    )
    app.include_router(ask_routes.router)
    app.include_router(choice_routes.router)
    app.include_router(corpus_routes.router)
    add_pages(app)
    answer_refusals(app)
    app.add_middleware(Guard, loopback_only=loopback_only, limits=limits)
    return app
