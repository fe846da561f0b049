"""Routes: what teams do. All of it works without a script."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from lacuna.board.keeping.submission_limits import SentEnoughError
from lacuna.board.keeping.teams import Team
from lacuna.board.web.pages.team_pages import login_page, submit_page, team_page
from lacuna.board.web.receiving import given_fields, read_form, take_in
from lacuna.board.web.routes.tables import no_entry, visible_entry
from lacuna.board.web.services import AnyTeam, BoardServicesHere, cookie_name
from lacuna.errors import LacunaError

DAYS = 30
SUBMIT = "/submit"
router = APIRouter(include_in_schema=False)


@router.get("/login")
def login(services: BoardServicesHere) -> HTMLResponse:
    """The way in."""
    return HTMLResponse(login_page(services.board))


@router.post("/login")
def log_in(
    request: Request, services: BoardServicesHere, key: Annotated[str, Form()] = ""
) -> Response:
    """Let a browser remember a team's key; no script can read it and no other site can use it."""
    if services.board.teams.with_key(key.strip()) is None:
        problem = "This is no team's key. Copy it whole, as you were given it."
        return HTMLResponse(login_page(services.board, problem), 403)
    response = _to("/team")
    response.set_cookie(
        cookie_name(request),
        key.strip(),
        max_age=DAYS * 86_400,
        httponly=True,
        samesite="strict",
        secure=services.secure or request.url.scheme == "https",
    )
    return response


@router.post("/logout")
def log_out(request: Request) -> Response:
    """Let a browser forget it."""
    response = _to("/")
    response.delete_cookie(cookie_name(request))
    return response


@router.get("/team")
def own(services: BoardServicesHere, team: AnyTeam) -> Response:
    """What a team has sent."""
    if team is None:
        return _to("/login")
    return HTMLResponse(team_page(services.board, team, services.board.submissions.of_team(team)))


@router.get(SUBMIT)
def form(services: BoardServicesHere, team: AnyTeam) -> Response:
    """The form."""
    if team is None:
        return _to("/login")
    return HTMLResponse(submit_page(services.board, team, {}))


@router.post(SUBMIT)
async def submit(request: Request, services: BoardServicesHere, team: AnyTeam) -> Response:
    """Predictions from the form; whoever is not logged in has none of it read."""
    if team is None:
        return _to("/login")
    sent = await read_form(request, services)
    try:
        queued = await take_in(services, team, sent)
    except LacunaError as error:
        status = 429 if isinstance(error, SentEnoughError) else 422
        page = submit_page(services.board, team, given_fields(sent), str(error))
        return HTMLResponse(page, status)
    finally:
        await sent.close()
    return _to(f"/entries/{queued.id}")


@router.post("/entries/{number}/public")
def show(services: BoardServicesHere, team: AnyTeam, number: int) -> Response:
    """Let everybody see an entry."""
    return _shown(services, team, number, is_public=True)


@router.post("/entries/{number}/private")
def hide(services: BoardServicesHere, team: AnyTeam, number: int) -> Response:
    """Let only its team see it."""
    return _shown(services, team, number, is_public=False)


def _shown(
    services: BoardServicesHere, team: Team | None, number: int, *, is_public: bool
) -> Response:
    entry = visible_entry(services.board, number, team)
    if team is None or entry.team.id != team.id:
        raise no_entry()
    services.board.submissions.show(number, is_public)
    return _to(f"/entries/{number}")


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303)
