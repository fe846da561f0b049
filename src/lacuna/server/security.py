"""What is refused before a request is read, and what every response tells the browser."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lacuna.server.limits import MB, Limits
from lacuna.server.refusals import Refusal

UPLOAD = "/api/corpora/upload"
READS_ONLY = ("GET", "HEAD", "OPTIONS")
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


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound to that host."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """Stands before the app; plain ASGI, so that a stream is passed on as it comes."""

    def __init__(self, app: ASGIApp, *, loopback_only: bool, limits: Limits) -> None:
        self._app = app
        self._loopback_only = loopback_only
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with limits and headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                is_data = scope["path"].startswith("/api/")
                headers.setdefault("Cache-Control", "no-store" if is_data else "no-cache")
            await send(message)

        body = _Body(receive, self._limit(scope))
        try:
            self._check(scope)
            await self._app(scope, body.receive, with_headers)
        except Refusal as refusal:
            await refusal.response()(scope, receive, with_headers)

    def _limit(self, scope: Scope) -> int:
        return self._limits.upload if scope["path"] == UPLOAD else self._limits.body

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._loopback_only and not is_loopback(_name_of(f"//{host}")):
            # Another site's name that was made to point here, to read what only this machine may.
            raise Refusal(
                421,
                "wrong-host",
                f"This server answers on this machine only, not as {host!r}. Open it as "
                "http://localhost, or start it with --host to let others in.",
            )
        if scope["method"] not in READS_ONLY and _is_foreign(headers, host):
            raise Refusal(
                403, "other-origin", "Another site's page sent this request. It was not done."
            )
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > (limit := self._limit(scope)):
            raise too_large(limit)


def _is_foreign(headers: Mapping[str, str], host: str) -> bool:
    """Whether a browser says that another site's page sent this; programs say nothing."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != host


def _name_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # a bracket that is not closed
        return ""


class _Body:
    """Counts what comes in: a length that was announced may be false, or missing."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            # FastAPI passes on only its own errors from here; it becomes a Problem there.
            raise HTTPException(413, str(too_large(self._limit)))
        return message


def too_large(limit: int) -> Refusal:
    """The refusal of a request with too many bytes."""
    shown = f"{limit // MB} MB" if limit >= MB else f"{limit >> 10} kB"
    return Refusal(413, "too-large", f"The request is larger than {shown}, which is the most.")
