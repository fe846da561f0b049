"""The app: everything put together."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from lacuna.version import __version__
from lacuna.web import ask_routes, choice_routes, corpus_routes
from lacuna.web.choice_desk import ChoiceDesk, OpenGaps
from lacuna.web.desk import Desk
from lacuna.web.kept import KeptAnswers
from lacuna.web.librarian import Librarian, MakeAsker, OpenStore
from lacuna.web.limits import Limits
from lacuna.web.line import Line
from lacuna.web.page_routes import add_pages
from lacuna.web.refusals import answer_refusals
from lacuna.web.security import Guard
from lacuna.web.services import Services
from lacuna.web.shelf import Shelf

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
    librarian = Librarian(open_store, make_asker, Path(uploads.name), limits)
    shelf = Shelf(librarian.first(corpus), room=limits.corpora, upload_hours=limits.upload_hours)
    kept = KeptAnswers(limits.answers)
    line = Line(workers, limits.waiting)
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
        desk=Desk(shelf, kept, line, limits),
        choices=ChoiceDesk(open_gaps, line, limits),
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
