"""Stands before everything: each request gets its id, is counted, timed and logged."""

from __future__ import annotations

import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lacuna.server.operations.json_lines import log_request
from lacuna.server.operations.metrics import Metrics
from lacuna.server.operations.request_ids import HEADER, begin_request
from lacuna.server.refusals import SEEN, SeenRequest
from lacuna.server.security import API

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
NO_ROUTE = "none"
FILES = "/static"
BROKEN = 500


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
        status = BROKEN  # what the client gets where nothing was sent
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
