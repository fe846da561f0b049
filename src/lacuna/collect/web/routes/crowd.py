"""Routes: where Mechanical Turk and Prolific send people.

Mechanical Turk shows the address inside of its own page, where a browser keeps our cookies back.
So that page shows the instructions and a link that opens the work in a window of its own; when it
is done, the frame has the form that tells Mechanical Turk.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from lacuna.collect.people.crowd import CrowdFormPost, CrowdPreview
from lacuna.collect.refused import RefusedError
from lacuna.collect.web.headers import CROWD_ENTRANCE
from lacuna.collect.web.routes.pages import PLACE, STATIC, instructions_of
from lacuna.collect.web.services import services_of
from lacuna.collect.web.who import give_cookie

router = APIRouter(include_in_schema=False)
ENTER = f"{CROWD_ENTRANCE}/enter"
WAY = "<!-- way -->"
PREVIEW = """<p class="note">This is a preview. Accept the work at the platform; then it can be
opened here.</p>"""
OPEN = """<p class="note">The work opens in a window of its own. When you have handed it in there,
come back here.</p>
<p class="buttons"><a class="as-button" href="{enter}" target="_blank" rel="noopener">Open the
work</a> <a class="as-button" href="{here}">I have handed it in</a></p>"""
DONE = """<p class="note">You have handed it in. One step is left: tell Mechanical Turk.</p>
<form method="post" action="{action}">{fields}<button class="primary" type="submit">Hand it in at
Mechanical Turk</button></form>"""
FIELD = """<input type="hidden" name="{name}" value="{value}">"""


@router.get(CROWD_ENTRANCE)
def entrance(request: Request) -> Response:
    """What a platform opens: the instructions, and the way in or back."""
    sent = dict(request.query_params)
    if "PROLIFIC_PID" in sent:
        return enter(request)
    crowd = services_of(request).crowd
    try:
        if crowd.is_preview(sent):
            return _page(request, PREVIEW)
        way_back = crowd.framed_way_back(sent)
    except RefusedError as error:
        return _refused(request, error)
    if isinstance(way_back, CrowdFormPost):
        return _page(request, _form(way_back.action, way_back.fields))
    given = escape(urlencode(sent))
    way = OPEN.format(enter=f"{ENTER}?{given}", here=f"{CROWD_ENTRANCE}?{given}")
    return _page(request, way)


@router.get(ENTER)
def enter(request: Request) -> Response:
    """Log in whom the platform names, and go to the task."""
    sent = dict(request.query_params)
    services = services_of(request)
    try:
        session = services.crowd.enter(sent)
    except RefusedError as error:
        return _refused(request, error)
    if isinstance(session, CrowdPreview):
        return _page(request, PREVIEW)
    task = sent.get("task", "")
    is_done = services.crowd.way_back(session) is not None  # the list of tasks shows it
    to = "/collect/" if is_done or task not in services.work.tasks else f"/collect/tasks/{task}"
    response = RedirectResponse(to, 303)
    give_cookie(request, response, session)
    return response


def _form(action: str, fields: Mapping[str, str]) -> str:
    inputs = (FIELD.format(name=escape(name), value=escape(fields[name])) for name in fields)
    return DONE.format(action=escape(action), fields="".join(inputs))


def _refused(request: Request, error: RefusedError) -> HTMLResponse:
    """In words: it is a person who reads it, not a script."""
    return _page(request, f'<p class="note problem">{escape(str(error))}</p>', 403)


def _page(request: Request, way: str, status: int = 200) -> HTMLResponse:
    task = services_of(request).work.tasks.get(request.query_params.get("task", ""))
    title = task.task.title if task else "The work"
    text = instructions_of(task.task.instructions) if task else ""
    page = (STATIC / "crowd.html").read_text(encoding="utf-8").replace("TITLE", escape(title))
    return HTMLResponse(page.replace(PLACE, text).replace(WAY, way), status)
