"""What is refused before a request is read, and what every response tells the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lacuna.errors import LacunaError
from lacuna.web.access import Access, Entrance
from lacuna.web.limits import MB, Limits
from lacuna.web.listening import Stopping
from lacuna.web.refusals import (
    BROKEN,
    Refusal,
    as_refusal,
    current_request,
    log_cause,
    response_to,
    took_too_long,
)
from lacuna.web.refusals import HEADER as REQUEST_ID
from lacuna.web.work_queue import stopping as is_stopping


class ArrivingBody:
    """Counts what comes in: a length that was announced may be false, or missing.

    FastAPI passes on only its own errors from here; they become Problems there.
    """

    def __init__(self, receive: Receive, size: int, limits: Limits, stopping: Stopping) -> None:
        self._receive = receive
        self._size = size
        self._limits = limits
        self._stopping = stopping
        self._end = asyncio.get_running_loop().time() + limits.body_seconds
        self._seen = 0
        self._is_whole = False

    async def receive(self) -> Message:
        """The next part of it; when all has come, whether the client has gone."""
        if self._is_whole:
            return await self._receive()
        now = asyncio.get_running_loop().time()
        at_most = min(now + self._limits.body_idle_seconds, self._end)
        try:
            async with asyncio.timeout_at(at_most) as timeout:
                with self._stopping.may_cut(timeout):
                    message = await self._receive()
        except TimeoutError:
            raise self._given_up() from None
        self._is_whole = not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > self._size:
            raise HTTPException(413, str(too_large(self._size)))
        return message

    def _given_up(self) -> HTTPException:
        if self._stopping.begun:
            return HTTPException(503, str(is_stopping()))
        return HTTPException(408, "The rest of the request did not come in time. Send it again.")


def too_large(limit: int) -> Refusal:
    """The refusal of a request with too many bytes."""
    shown = f"{limit // MB} MB" if limit >= MB else f"{limit >> 10} kB"
    return Refusal(413, "too-large", f"The request is larger than {shown}, which is the most.")


API = "/api/v1"
UPLOAD = f"{API}/corpora/upload"
DATA = ("/api/", "/collect/api/")
READS_ONLY = ("GET", "HEAD", "OPTIONS")
LAST_WORDS = 60.0
"""Seconds that a stream has to tell that its answer took too long, before it is cut off."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",  # text can never become HTML, not even by mistake
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
HeadersOf = Callable[[str], Mapping[str, str]]
"""What to tell the browser with what is at a path."""


class Guard:
    """Stands before the app; plain ASGI, so that a stream is passed on as it comes."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        access: Access,
        limits: Limits,
        stopping: Stopping,
        headers_of: HeadersOf = lambda _: HEADERS,
        uploads: Collection[str] = (UPLOAD,),
    ) -> None:
        self._app = app
        self._headers_of = headers_of
        self._uploads = uploads
        self._hosts = access.hosts
        self._entrance = (
            Entrance(access.tokens, tokens_stay=access.tokens_stay) if access.tokens else None
        )
        self._limits = limits
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with limits and headers."""
        if scope["type"] == "websocket" and self._is_foreign_socket(scope):
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in self._headers_of(scope["path"]).items():
                    headers[name] = value
                is_data = scope["path"].startswith(DATA)
                headers.setdefault("Cache-Control", "no-store" if is_data else "no-cache")
            await send(message)

        body = ArrivingBody(receive, self._limit(scope), self._limits, self._stopping)
        timeout = asyncio.timeout(self._limits.answer_seconds + LAST_WORDS)
        try:
            self._check_host(scope)
            if self._entrance and (instead := self._entrance.answer(scope)):
                await instead(scope, receive, with_headers)
                return
            self._check(scope)
            async with timeout:
                await self._app(scope, body.receive, with_headers)
        except Refusal as refusal:
            await response_to(scope, refusal)(scope, receive, with_headers)
        except TimeoutError:
            if not timeout.expired():
                raise
            if not started:
                await response_to(scope, took_too_long())(scope, receive, with_headers)

    def _limit(self, scope: Scope) -> int:
        return self._limits.upload if scope["path"] in self._uploads else self._limits.body

    def _is_foreign_socket(self, scope: Scope) -> bool:
        """Tell if another site's page wants to talk: cookies would be sent along."""
        headers = Headers(scope=scope)
        try:
            self._check_host(scope)
        except Refusal:
            return True
        return _is_foreign(headers, headers.get("host", ""))

    def _check_host(self, scope: Scope) -> None:
        host = Headers(scope=scope).get("host", "")
        address = (scope.get("server") or ("",))[0]
        if not self._hosts.allow(host, address):
            # Another site's name that was made to point here, to read what it may not.
            raise Refusal(
                421,
                "wrong-host",
                f"This server does not answer as {host!r}. Open it under the address that "
                "the server printed, or start it with --allow-host and that name.",
            )

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if scope["method"] not in READS_ONLY and _is_foreign(headers, headers.get("host", "")):
            raise Refusal(
                403, "other-origin", "Another site's page sent this request. It was not done."
            )
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > (limit := self._limit(scope)):
            raise too_large(limit)


def _is_foreign(headers: Mapping[str, str], host: str) -> bool:
    """Tell if a browser says that another site's page sent this; programs say nothing."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != host


CODES = {
    404: "not-found",
    405: "wrong-method",
    408: "too-slow",
    413: "too-large",
    503: "stopping",
}
MESSAGES = {
    404: "There is nothing at this address.",
    405: "What is at this address cannot be asked for, or changed, in this way.",
}
MOVED = f"The interface lies under {API}; /openapi.json describes it."


def shape_errors(app: FastAPI) -> None:
    """Give every error of the app the shape of a Problem."""

    @app.exception_handler(LacunaError)
    async def refused(request: Request, error: LacunaError) -> Response:
        log_cause(error)
        return response_to(request.scope, as_refusal(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        errors = "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in error.errors()[:5])
        refusal = Refusal(422, "bad-request", f"The request is not as expected. {errors}.")
        return response_to(request.scope, refusal)

    @app.exception_handler(StarletteHTTPException)
    async def other(request: Request, error: StarletteHTTPException) -> Response:
        code = CODES.get(error.status_code, "bad-request")
        message = MESSAGES.get(error.status_code, str(error.detail))
        path = request.scope["path"]
        if error.status_code == 404 and path.startswith("/api/") and not path.startswith(f"{API}/"):
            message = f"{message} {MOVED}"
        refusal = Refusal(error.status_code, code, message, error.headers)
        return response_to(request.scope, refusal)

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        # Starlette answers this one itself, outside of the guard.
        response = response_to(request.scope, BROKEN)
        response.headers.update({**HEADERS, REQUEST_ID: current_request()})
        return response


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body") or "body"
