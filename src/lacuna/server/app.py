"""The app: everything put together."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from lacuna.pipeline.keeping_up.watch import Watcher
from lacuna.server.access.access import Access
from lacuna.server.access.folders import AllowedFolders
from lacuna.server.answer_cache import AnswerCache
from lacuna.server.choice_service import ChoiceService, OpenGaps
from lacuna.server.corpus_opener import CorpusOpener, MakeAnswerer, OpenStore, is_indexing
from lacuna.server.error_shapes import shape_errors
from lacuna.server.feedback.feedback_file import FeedbackFile
from lacuna.server.feedback.feedback_service import FeedbackService
from lacuna.server.interface import bare_app
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.question_service import QuestionService
from lacuna.server.routes.pages import add_pages
from lacuna.server.security import Guard
from lacuna.server.services import Services
from lacuna.server.stopping import Stopping
from lacuna.server.upload_folder import UploadFolder
from lacuna.server.work_queue import WorkQueue

LOOKUP_THREADS = 2
SMALLEST = 1_000
"""Bytes; compressing less gains nothing."""
LEVEL = 5
"""Of gzip: most of what can be gained, at a third of the time."""


def make_app(
    corpora: Sequence[Path],
    open_store: OpenStore,
    make_answerer: MakeAnswerer,
    open_gaps: OpenGaps,
    *,
    access: Access,
    workers: int = 1,
    watch: bool = False,
    feedback: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
) -> FastAPI:
    """The app over a corpus of these paths, or over the demo; it holds the corpus open from now on.

    ``open_gaps`` is called for the first question with choices. ``watch`` follows the changes of
    files; ``feedback`` is the file that it is kept in.
    """
    uploads = UploadFolder()
    folders = AllowedFolders([*access.folders, *corpora])
    opener = CorpusOpener(
        open_store, make_answerer, uploads.path, folders, limits, local=access.local
    )
    opened = OpenCorpora(
        opener.first(corpora), room=limits.corpora, upload_hours=limits.upload_hours
    )
    answers = AnswerCache(limits.answers)
    queue = WorkQueue(workers, limits.waiting)
    indexing = WorkQueue(1, room=0, full=is_indexing)
    stopping = Stopping([queue, indexing])
    lookups = ThreadPoolExecutor(LOOKUP_THREADS, "lookup")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with _watching(opened) if watch else nullcontext():
            yield
        stopping.begin()
        stopping.give_up()
        lookups.shutdown(wait=False, cancel_futures=True)
        uploads.close()

    app = bare_app(lifespan)
    app.state.services = Services(
        corpora=opened,
        opener=opener,
        answers=answers,
        questions=QuestionService(opened, answers, queue, limits),
        choices=ChoiceService(open_gaps, queue, limits),
        feedback=FeedbackService(
            FeedbackFile(feedback, limits.feedback) if feedback else None, answers, opened, limits
        ),
        limits=limits,
        folders=folders,
        local=access.local,
        watches=watch,
        lookups=lookups,
        indexing=indexing,
        stopping=stopping,
    )
    add_pages(app)
    shape_errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST, compresslevel=LEVEL)
    app.add_middleware(Guard, access=access, limits=limits, stopping=stopping)
    return app


def _watching(opened: OpenCorpora) -> Watcher:
    log = logging.getLogger(__name__)
    return Watcher(opened.watched, on_change=opened.note_change, on_problem=log.warning)
