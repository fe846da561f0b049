"""Routes: where Mechanical Turk and Prolific send people.

Mechanical Turk shows the address inside of its own page, where a browser keeps our cookies back.
So that page shows the instructions and a link that opens the work in a window of its own.
"""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from lacuna.collect.people.crowd import CrowdPreview
from lacuna.collect.web.headers import CROWD_ENTRANCE
from lacuna.collect.web.routes.pages import PLACE, STATIC, instructions_of
from lacuna.collect.web.services import services_of
from lacuna.collect.web.who import give_cookie

router = APIRouter(include_in_schema=False)
ENTER = f"{CROWD_ENTRANCE}/enter"


@router.get(CROWD_ENTRANCE)
def entrance(request: Request) -> Response:
    """What a platform opens: the instructions, and the way in."""
    sent = dict(request.query_params)
    if "PROLIFIC_PID" in sent:
        return enter(request)
    task = services_of(request).work.tasks.get(sent.get("task", ""))
    text = instructions_of(task.task.instructions) if task else ""
    page = (STATIC / "crowd.html").read_text(encoding="utf-8").replace(PLACE, text)
    return HTMLResponse(page.replace("WAY-IN", escape(f"{ENTER}?{urlencode(sent)}")))


@router.get(ENTER)
def enter(request: Request) -> Response:
    """Log in whom the platform names, and go to the task."""
    sent = dict(request.query_params)
    services = services_of(request)
    session = services.crowd.enter(sent)
    if isinstance(session, CrowdPreview):
        text = (STATIC / "preview.html").read_text(encoding="utf-8")
        return HTMLResponse(text)
    task = sent.get("task", "")
    to = f"/collect/tasks/{task}" if task in services.work.tasks else "/collect/"
    response = RedirectResponse(to, 303)
    give_cookie(request, response, session)
    return response
