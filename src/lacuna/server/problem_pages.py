"""What is refused, in the shape that whoever asked can read: JSON, or a small page."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from pathlib import Path
from string import Template

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from lacuna.server.refusals import Refusal, note_refusal

AGENTS = "/mcp"
"""Where agents are served: by programs that read no page."""
NOT_PAGES = ("/api/", "/collect/api/", "/static/", "/openapi.json", "/metrics", AGENTS)
PAGE = Template((Path(__file__).parent / "static" / "problem.html").read_text(encoding="utf-8"))


def response_to(scope: Scope, refusal: Refusal) -> Response:
    """A page for a browser that was to show one; to all others the refusal as JSON."""
    note_refusal(scope, refusal.problem.code)
    wants_page = "text/html" in Headers(scope=scope).get("accept", "")
    if not wants_page or scope["path"].startswith(NOT_PAGES):
        return refusal.response()
    title = HTTPStatus(refusal.status).phrase
    page = PAGE.substitute(title=escape(title), message=escape(refusal.problem.message))
    return HTMLResponse(page, refusal.status, refusal.headers)
