"""Routes: logging in and out, making an account, and who one is."""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from lacuna.collect.people.sessions import LoginSession
from lacuna.collect.web.services import services_of
from lacuna.collect.web.who import (
    CollectServicesHere,
    LoggedIn,
    cookie_name,
    give_cookie,
    session_of,
)

router = APIRouter(prefix="/collect/api")
HASHING = threading.BoundedSemaphore(4)
"""Hashing a password takes 64 MB and a core for a moment: many at once wait for each other."""


class Credentials(BaseModel):
    """A name and what proves it."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=1_000)


class TakenInvitation(Credentials):
    """An invitation that somebody takes up."""

    invitation: str = Field(max_length=200)


@router.get("/session")
def session(request: Request) -> dict[str, Any]:
    """Who is logged in, and what this project is called."""
    return _described(request, session_of(request))


@router.post("/login")
def log_in(request: Request, response: Response, given: Credentials) -> dict[str, Any]:
    """Log in."""
    address = request.client.host if request.client else ""
    with HASHING:
        made = services_of(request).accounts.log_in(given.name, given.password, address)
    give_cookie(request, response, made)
    return _described(request, made)


@router.post("/register")
def register(request: Request, response: Response, given: TakenInvitation) -> dict[str, Any]:
    """Make an account with an invitation, and log in."""
    accounts = services_of(request).accounts
    with HASHING:
        made = accounts.register(given.invitation, given.name, given.password)
    give_cookie(request, response, made)
    return _described(request, made)


@router.post("/logout")
def log_out(
    request: Request, response: Response, services: CollectServicesHere, session: LoggedIn
) -> dict[str, Any]:
    """End this session."""
    services.accounts.sessions.log_out(session.token)
    response.delete_cookie(cookie_name(request), path="/collect")
    return {}


def _described(request: Request, session: LoginSession | None) -> dict[str, Any]:
    services = services_of(request)
    if session is None:
        return {"project": services.title, "person": None, "csrf": "", "titles": {}, "unread": 0}
    person = session.person
    completion = services.crowd.way_back(session)
    return {
        "project": services.title,
        "person": {"id": person.id, "name": person.name, "role": person.role},
        "csrf": session.csrf,
        "titles": {name: used.task.title for name, used in services.work.tasks.items()},
        "unread": services.unread(person),
        "completion": None if completion is None else asdict(completion),
    }
