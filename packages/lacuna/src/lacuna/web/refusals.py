"""What a server refuses, in the shape that whoever asked can read."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from pathlib import Path
from string import Template

from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from lacuna.errors import AddressError, LacunaError

HEADER = "X-Request-ID"
SANE = re.compile(r"[A-Za-z0-9._\-]{1,64}")
_CURRENT: ContextVar[str] = ContextVar("lacuna_request_id", default="")


def begin_request(given: str) -> str:
    """The id that a proxy or a client gave, where it can stand in a log as it is; else a new one.

    >>> begin_request("edge-1.42")
    'edge-1.42'
    >>> len(begin_request("two\\nlines"))
    16
    """
    request_id = given if SANE.fullmatch(given) else secrets.token_hex(8)
    _CURRENT.set(request_id)
    return request_id


def current_request() -> str:
    """The id of the request that is being answered here; empty where there is none."""
    return _CURRENT.get()


class Problem(BaseModel, use_attribute_docstrings=True):
    """Why a request was refused: a name for programs, a paragraph for people."""

    code: str
    """A name for programs, such as `corpus-unknown`."""
    message: str
    """What is the matter and what to do, in a paragraph for people."""


SEEN = "lacuna.seen"
"""Where a request holds what becomes of it."""


@dataclass(slots=True)
class SeenRequest:
    """What becomes of a request, for who counts them."""

    refused: str = ""
    """The code of the problem that it was refused with."""


def note_refusal(scope: Scope, code: str) -> None:
    """Say of a request that it was refused, and why."""
    if isinstance(seen := scope.get(SEEN), SeenRequest):
        seen.refused = code


class Refusal(LacunaError):  # noqa: N818 - it is no mistake of anybody
    """A request that cannot be met; the message says why and what to do."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        message = message.encode("utf-8", "replace").decode()  # it may name half a surrogate pair
        super().__init__(message)
        self.status = status
        self.problem = Problem(code=code, message=message)
        self.headers = dict(headers or {})

    def response(self) -> JSONResponse:
        """The answer to the request."""
        return JSONResponse(self.problem.model_dump(), self.status, self.headers)


def as_refusal(error: LacunaError) -> Refusal:
    """Any error that a user can mend, as a refusal; where a corpus is kept, who asks need not know.

    Whoever tells it to a client logs it first, with ``log_cause``.
    """
    if isinstance(error, Refusal):
        return error
    return UNREACHABLE if isinstance(error, AddressError) else Refusal(422, "bad-input", str(error))


def log_cause(error: LacunaError) -> None:
    """What went wrong with the store of a corpus, for who runs the server."""
    if isinstance(error, AddressError):
        logging.getLogger(__name__).warning("A corpus cannot be read: %s", error)


def no_document(corpus: str, title: str) -> Refusal:
    """A title that leads to nothing."""
    return Refusal(
        404, "no-document", f"“{corpus}” has no document “{title}”. Search for its title."
    )


def took_too_long() -> Refusal:
    """An answer that did not come in the time that there is for it."""
    return Refusal(
        504, "too-slow", "The answer took too long and was given up. Ask again, or something else."
    )


def feedback_full() -> Refusal:
    """Feedback that there is no room for."""
    return Refusal(
        507, "feedback-full", "What feedback is kept in is full. Tell who runs this server."
    )


UNREACHABLE = Refusal(
    503,
    "corpus-unreachable",
    "The store of this corpus cannot be read just now. Try again in 5 s.",
    {"Retry-After": "5"},
)
BROKEN = Refusal(
    500,
    "broken",
    "Something went wrong here that is not your fault. The server's own output says more.",
)


AGENTS = "/mcp"
"""Where agents are served: by programs that read no page."""
NOT_PAGES = ("/api/", "/collect/api/", "/static/", "/openapi.json", "/metrics", AGENTS)
PAGE = Template((Path(__file__).parent / "problem.html").read_text(encoding="utf-8"))


def response_to(scope: Scope, refusal: Refusal) -> Response:
    """A page for a browser that was to show one; to all others the refusal as JSON."""
    note_refusal(scope, refusal.problem.code)
    wants_page = "text/html" in Headers(scope=scope).get("accept", "")
    if not wants_page or scope["path"].startswith(NOT_PAGES):
        return refusal.response()
    title = HTTPStatus(refusal.status).phrase
    page = PAGE.substitute(title=escape(title), message=escape(refusal.problem.message))
    return HTMLResponse(page, refusal.status, refusal.headers)
