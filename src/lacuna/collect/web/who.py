"""Who sends a request: by a cookie that no script can read, and a secret that no other site has."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.requests import HTTPConnection

from lacuna.collect.people.person import CollectRole, Person
from lacuna.collect.people.sessions import LoginSession
from lacuna.collect.refused import RefusedError
from lacuna.collect.web.refusing import no_csrf, not_allowed, not_logged_in
from lacuna.collect.web.services import CollectServices, services_of
from lacuna.server.security import READS_ONLY

CSRF = "x-lacuna-csrf"


def cookie_name(request: HTTPConnection) -> str:
    """Of its port: cookies do not tell the ports of a machine apart, and two may be in use."""
    server = request.scope.get("server") or ("", 0)
    return f"lacuna-collect-{server[1]}"


def give_cookie(request: Request, response: Response, session: LoginSession) -> None:
    """Let the browser say from now on who it is."""
    services = services_of(request)
    response.set_cookie(
        cookie_name(request),
        session.token,
        max_age=services.session_seconds,
        httponly=True,
        samesite="lax",
        secure=services.secure or request.url.scheme == "https",
        path="/collect",
    )


def session_of(request: HTTPConnection) -> LoginSession | None:
    """Who is logged in, if anybody."""
    services = services_of(request)
    return services.accounts.sessions.of(request.cookies.get(cookie_name(request)))


def logged_in(request: Request) -> LoginSession:
    """Whoever is logged in; a change has to carry the session's secret."""
    session = session_of(request)
    if session is None:
        raise not_logged_in()
    if request.method not in READS_ONLY and not session.has_csrf(request.headers.get(CSRF, "")):
        raise no_csrf()
    return session


LoggedIn = Annotated[LoginSession, Depends(logged_in)]


def _working(session: LoginSession) -> Person:
    if session.person.is_blocked:
        reason = f" {session.person.blocked_reason}" if session.person.blocked_reason else ""
        raise RefusedError("blocked", f"You cannot work here any more.{reason}")
    return session.person


def working_session(request: Request) -> LoginSession:
    """Of somebody who may work, for what is asked often: looked up in the thread of the route."""
    session = logged_in(request)
    _working(session)
    return session


# These look nothing up: as async functions they take no thread, of which each costs a wait.
async def _services(request: Request) -> CollectServices:
    return services_of(request)


async def _worker(session: LoggedIn) -> Person:
    return _working(session)


async def _reviewer(session: LoggedIn) -> Person:
    return _with_role(session, CollectRole.REVIEWER)


async def _requester(session: LoggedIn) -> Person:
    return _with_role(session, CollectRole.REQUESTER)


def _with_role(session: LoginSession, needed: CollectRole) -> Person:
    if not session.person.role.may(needed):
        raise not_allowed()
    return _working(session)


AWorker = Annotated[Person, Depends(_worker)]
AReviewer = Annotated[Person, Depends(_reviewer)]
ARequester = Annotated[Person, Depends(_requester)]
CollectServicesHere = Annotated[CollectServices, Depends(_services)]
