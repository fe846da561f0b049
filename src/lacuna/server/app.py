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
from lacuna.server.keeping.protocol import AnswerKeeper, FeedbackKeeper, SharedStore
from lacuna.server.keeping.shared import SharedAnswers, SharedFeedback
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.operations.metrics import Metrics
from lacuna.server.operations.observed import Observed
from lacuna.server.operations.probes import Probes
from lacuna.server.operations.readiness import Readiness
from lacuna.server.question_service import QuestionService
from lacuna.server.routes.pages import add_pages
from lacuna.server.security import Guard
from lacuna.server.services import Services
from lacuna.server.stopping import GRACE, Stopping
from lacuna.server.suggestion_service import SuggestionService
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
    models: Sequence[str] = (),
    workers: int = 1,
    watch: bool = False,
    feedback: Path | None = None,
    shared: SharedStore | None = None,
    metrics_open: bool = False,
    drain_seconds: float = GRACE,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
) -> FastAPI:
    """The app over a corpus of these paths, or over the demo; it holds the corpus open from now on.

    ``open_gaps`` is called for the first question with choices. ``models`` are the names that a
    question may choose one by. ``watch`` follows the changes of
    files; ``feedback`` is the file that it is kept in. ``shared`` keeps answers and feedback for
    several servers; who made it closes it. ``metrics_open`` gives the metrics to all.
    """
    uploads = UploadFolder()
    folders = AllowedFolders([*access.folders, *corpora])
    opener = CorpusOpener(
        open_store, make_answerer, uploads.path, folders, limits, local=access.local
    )
    opened = OpenCorpora(
        opener.first(corpora), room=limits.corpora, upload_hours=limits.upload_hours
    )
    answers: AnswerKeeper = SharedAnswers(shared) if shared else AnswerCache(limits.answers)
    metrics = Metrics()
    queue = WorkQueue(workers, limits.waiting, on_begin=metrics.waited)
    metrics.watch_queue(queue)
    indexing = WorkQueue(1, room=limits.indexing, full=is_indexing)
    stopping = Stopping([queue, indexing], drain_seconds)
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
        questions=QuestionService(opened, answers, queue, lookups, limits, metrics, models),
        suggestions=SuggestionService(opened, answers, queue, lookups, limits, models),
        choices=ChoiceService(open_gaps, queue, limits, metrics),
        feedback=FeedbackService(_kept_in(feedback, shared, limits), answers, opened, limits),
        limits=limits,
        models=models,
        folders=folders,
        local=access.local,
        several_people=len(access.tokens) > 1,
        watches=watch,
        lookups=lookups,
        indexing=indexing,
        stopping=stopping,
        metrics=metrics,
    )
    readiness = Readiness(opened, stopping, shared.check if shared else lambda: None)
    add_pages(app)
    shape_errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST, compresslevel=LEVEL)
    app.add_middleware(Guard, access=access, limits=limits, stopping=stopping)
    app.add_middleware(Observed, metrics=metrics)
    app.add_middleware(Probes, readiness=readiness, metrics=metrics, metrics_open=metrics_open)
    return app


def _kept_in(
    feedback: Path | None, shared: SharedStore | None, limits: Limits
) -> FeedbackKeeper | None:
    if feedback is not None:
        return FeedbackFile(feedback, limits.feedback)
    return SharedFeedback(shared, limits.feedback) if shared else None


def _watching(opened: OpenCorpora) -> Watcher:
    log = logging.getLogger(__name__)
    return Watcher(opened.watched, on_change=opened.note_change, on_problem=log.warning)
