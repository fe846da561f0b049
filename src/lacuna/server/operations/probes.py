"""What a cluster asks a server: does it live, should it get questions, what has it counted.

Whether it lives and is ready is told without a token and under any name, since a cluster has
neither: it is one word. The counts want the token, unless the server was told to give them to all.
"""

from __future__ import annotations

import asyncio

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lacuna.server.operations.exposition import CONTENT_TYPE
from lacuna.server.operations.metrics import Metrics
from lacuna.server.operations.readiness import Readiness
from lacuna.server.refusals import Refusal

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
    return PlainTextResponse(metrics.text(), media_type=CONTENT_TYPE)
