"""What a server counts and times, and what a cluster asks it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lacuna.errors import LacunaError
from lacuna.pipeline.result import Result
from lacuna.serve.corpora import OpenCorpora
from lacuna.version import __version__
from lacuna.web.listening import Stopping, log_request
from lacuna.web.refusals import (
    HEADER,
    SEEN,
    Refusal,
    SeenRequest,
    as_refusal,
    begin_request,
    log_cause,
)
from lacuna.web.security import API
from lacuna.web.work_queue import WorkQueue
from lacuna.web.work_queue import stopping as is_stopping

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of a histogram of seconds."""
# When each count began would be once more as many lines.
disable_created_metrics()  # type: ignore[no-untyped-call]


R = TypeVar("R", bound=Result)
LEFT = "left"
"""The outcome of a question that nobody waited for any more."""
BROKEN = "broken"


class Metrics:
    """The metrics of one server, since it started; they hold no words of anybody."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        counter = partial(Counter, registry=self._registry)
        seconds = partial(Histogram, buckets=SECONDS, registry=self._registry)
        self._questions = counter(
            "lacuna_questions",
            "Questions by how they ended: answer, probable, none, left, broken, or why refused.",
            ("kind", "outcome"),
        )
        self._question_seconds = seconds(
            "lacuna_question_seconds",
            "From taking a question to its end, waiting included.",
            ("kind",),
        )
        self._stage_seconds = seconds(
            "lacuna_stage_seconds", "Seconds of the stages of answered questions.", ("stage",)
        )
        self._waiting_seconds = seconds(
            "lacuna_waiting_seconds", "Seconds that a question waited in the queue.", ("queue",)
        )
        self._requests = counter(
            "lacuna_requests", "Requests by route and status.", ("route", "status")
        )
        self._request_seconds = seconds(
            "lacuna_request_seconds", "From a request to the end of its response.", ("route",)
        )
        self._refusals = counter(
            "lacuna_refusals",
            "Refused requests, and streams that ended with a problem, by its code.",
            ("code",),
        )
        self._gauge("lacuna_info", f"Lacuna {__version__} runs here.", lambda: 1)

    def watch_queue(self, queue: WorkQueue) -> None:
        """Tell how long the queue of questions is."""
        waiting = "Questions that wait in the queue."
        running = "Questions that are being answered."
        self._gauge("lacuna_queue_length", waiting, lambda: queue.load()[0])
        self._gauge("lacuna_questions_running", running, lambda: queue.load()[1])

    def _gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        Gauge(name, about, registry=self._registry).set_function(value)

    def waited(self, seconds: float) -> None:
        """A question was taken out of the queue."""
        self._waiting_seconds.labels("questions").observe(seconds)

    def watch_question(self, kind: str, future: Future[R]) -> None:
        """Count a question when it ends, however it does."""
        begun = time.monotonic()
        future.add_done_callback(lambda done: self._ended(kind, done, time.monotonic() - begun))

    def refused_question(self, kind: str, refusal: LacunaError) -> None:
        """Count a question that was not taken."""
        self._questions.labels(kind, as_refusal(refusal).problem.code).inc()

    def request(self, route: str, status: int, seconds: float, refused: str) -> None:
        """Count a request and, where it was refused, why."""
        self._requests.labels(route, status).inc()
        self._request_seconds.labels(route).observe(seconds)
        if refused:
            self._refusals.labels(refused).inc()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)

    def _ended(self, kind: str, done: Future[R], seconds: float) -> None:
        try:
            result = done.result()
            outcome = result.degree.value
        except CancelledError:
            outcome = LEFT
        except LacunaError as error:
            outcome = as_refusal(error).problem.code
        except Exception:  # whoever waits for the answer logs it
            outcome = BROKEN
        else:
            for step in result.steps:
                self._stage_seconds.labels(step.stage).observe(step.milliseconds / 1000)
        self._questions.labels(kind, outcome).inc()
        self._question_seconds.labels(kind).observe(seconds)


FRESH = 1.0
"""Seconds in which what is kept elsewhere is not looked at again, however many ask."""


class Readiness:
    """Ready: the corpus and what answers are kept in can be reached, and nothing ends.

    The model needs no look: a server that listens has loaded it.
    """

    def __init__(
        self, corpora: OpenCorpora, stopping: Stopping, check_store: Callable[[], None]
    ) -> None:
        self._corpora = corpora
        self._stopping = stopping
        self._check_store = check_store
        self._looked = float("-inf")
        self._problem: Refusal | None = None
        self._lock = threading.Lock()

    def problem(self) -> Refusal | None:
        """Why it is not ready; None where it is. It may take as long as those take."""
        if self._stopping.begun:
            return is_stopping()
        try:
            self._corpora.check_default()
        except Refusal as refusal:
            return refusal
        with self._lock:
            if time.monotonic() - self._looked > FRESH:
                self._problem = self._unreachable()
                self._looked = time.monotonic()
            return self._problem

    def _unreachable(self) -> Refusal | None:
        try:
            self._corpora.reach_default()
            self._check_store()
        except LacunaError as error:
            log_cause(error)
            return as_refusal(error)
        return None


# What a cluster asks a server: does it live, should it get questions, what has it counted.
#
# Whether it lives and is ready is told without a token and under any name, since a cluster has
# neither: it is one word. The counts want the token, unless the server was told to give them to
# all.


ALIVE = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
NEVER_KEPT = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Probes:
    """Stands before the guard."""

    def __init__(
        self, app: ASGIApp, *, readiness: Readiness, metrics: Metrics, metrics_open: bool
    ) -> None:
        self._app = app
        self._readiness = readiness
        self._metrics = metrics
        self._open = (ALIVE, READY, METRICS) if metrics_open else (ALIVE, READY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on what is none of this."""
        is_probe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if is_probe and scope["path"] in self._open:
            response = await self._response(scope["path"])
            response.headers.update(NEVER_KEPT)
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _response(self, path: str) -> Response:
        if path == ALIVE:
            return JSONResponse({"status": "alive"})
        if path == METRICS:
            return metrics_response(self._metrics)
        problem: Refusal | None = await asyncio.to_thread(self._readiness.problem)
        return problem.response() if problem else JSONResponse({"status": "ready"})


def metrics_response(metrics: Metrics) -> Response:
    """The counts, as Prometheus reads them."""
    return Response(metrics.text(), media_type=CONTENT_TYPE)


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
NO_ROUTE = "none"
FILES = "/static"
BROKEN_REQUEST = 500


class Observed:
    """Plain ASGI, so that a stream is passed on as it comes."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and look at what becomes of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = scope[SEEN] = SeenRequest()
        request_id = begin_request(Headers(scope=scope).get(HEADER, ""))
        status = BROKEN_REQUEST  # what the client gets where nothing was sent
        begun = time.monotonic()

        async def with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, with_id)
        finally:
            seconds = time.monotonic() - begun
            route = _route(scope)
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._metrics.request(route, status, seconds, seen.refused)
            log_request(method, route, status, seconds, seen.refused)


def _route(scope: Scope) -> str:
    """The pattern of the address: the address itself may name a document, and there are many."""
    if scope["path"].startswith(f"{FILES}/"):
        return FILES
    route = str(getattr(scope.get("route"), "path", None) or NO_ROUTE)
    # Whether a route that was included knows its prefix depends on the version of FastAPI.
    is_bare = route != NO_ROUTE and scope["path"].startswith(API) and not route.startswith(API)
    return f"{API}{route}" if is_bare else route
