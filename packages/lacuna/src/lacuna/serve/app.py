"""The app: everything put together, with its interface and its services."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Union, get_args

from fastapi import FastAPI
from pydantic import Field, TypeAdapter
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Lifespan

from lacuna.pipeline.open_corpus import Watcher
from lacuna.serve.corpora import (
    AllowedFolders,
    CorpusOpener,
    MakeAnswerer,
    OpenCorpora,
    OpenStore,
    is_indexing,
)
from lacuna.serve.feedback import FeedbackFile, FeedbackService
from lacuna.serve.language_models import LanguageModels
from lacuna.serve.operations import Metrics, Observed, Probes, Readiness
from lacuna.serve.questions import ChoiceService, OpenGaps, QuestionService
from lacuna.serve.routes import ALWAYS, ROUTERS, Services, add_pages, refused
from lacuna.serve.schemas import Event, schema_of
from lacuna.serve.shared import (
    AnswerCache,
    AnswerKeeper,
    FeedbackKeeper,
    SharedAnswers,
    SharedFeedback,
    SharedStore,
)
from lacuna.serve.suggestions import SuggestionService
from lacuna.serve.uploads import UploadFolder
from lacuna.version import __version__
from lacuna.web.access import Access
from lacuna.web.limits import Limits
from lacuna.web.listening import GRACE, Stopping
from lacuna.web.security import API, Guard, shape_errors
from lacuna.web.work_queue import WorkQueue

REFERENCE = "#/components/schemas/{model}"
TOKEN = {"type": "http", "scheme": "bearer", "description": "The token that `lacuna serve` printed"}
INTRODUCTION = (
    "Questions, their answers, and the documents behind them. Every refusal, whatever its status, "
    "is a `Problem`. All places in a text are offsets in Unicode code points, half-open."
)


def bare_app(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """An app with all routes of the interface and their description, and nothing behind them."""
    app = FastAPI(
        title="Lacuna",
        summary="Typed answers with their evidence, or what is missing.",
        description=INTRODUCTION,
        version=__version__,
        docs_url=None,  # FastAPI's own pages load their scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
    )
    for router in ROUTERS:
        app.include_router(router, prefix=API, responses=refused(ALWAYS))
    plain = app.openapi

    def described() -> dict[str, Any]:
        return app.openapi_schema or _with_events(plain())

    app.openapi = described  # type: ignore[method-assign]
    return app


def _with_events(schema: dict[str, Any]) -> dict[str, Any]:
    either: Any = Union[tuple(map(schema_of, get_args(Event)))]  # noqa: UP007
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[either, Field(discriminator="event")])
    events = adapter.json_schema(ref_template=REFERENCE, mode="serialization")
    kinds: dict[str, str] = events["discriminator"]["mapping"]
    components = schema["components"]
    components["schemas"] |= {
        **events["$defs"],
        "StreamedEvent": {
            "title": "StreamedEvent",
            "description": "One event of the stream; its data is the JSON of an object.",
            "oneOf": [_as_sent(name, kind) for name, kind in kinds.items()],
        },
    }
    components["schemas"] = dict(sorted(components["schemas"].items()))
    components["securitySchemes"] = {"token": TOKEN}
    schema["security"] = [{"token": []}, {}]  # {}: a server that was started without a token
    answered = schema["paths"][f"{API}/ask/stream"]["post"]["responses"]["200"]
    answered["content"] = {
        "text/event-stream": {"schema": {"$ref": REFERENCE.format(model="StreamedEvent")}}
    }
    return schema


def _as_sent(name: str, schema: str) -> dict[str, Any]:
    """The lines of a server-sent event as an object, as descriptions of streams have them."""
    return {
        "type": "object",
        "properties": {
            "event": {"const": name, "description": "Which event it is."},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": schema},
                "description": "What it says.",
            },
        },
        "required": ["event", "data"],
    }


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
    models: Collection[str] = (),
    language_models: LanguageModels | None = None,
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
    question may choose one by; ``language_models`` looks for more, for who sits at this machine.
    ``watch`` follows the changes of
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
        language_models=language_models if access.local else None,
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
