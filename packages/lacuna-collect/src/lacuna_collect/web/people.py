"""The routes about people: logging in, accounts, crowds, and a person's own messages."""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, Field

from lacuna_collect.people.accounts import CollectRole, LoginSession
from lacuna_collect.tasks.task import Json
from lacuna_collect.web.services import (
    COOKIE,
    ARequester,
    AReviewer,
    AWorker,
    LoggedIn,
    Services,
    Text,
    give_cookie,
    services_of,
    session_of,
)
from lacuna_collect.work.assignments import AssignmentState
from lacuna_collect.work.review import WorkMessage

session_router = APIRouter(prefix="/collect/api")
HASHING = threading.BoundedSemaphore(4)
"""Hashing a password takes 64 MB and a core for a moment: many at once wait for each other."""


class Credentials(BaseModel):
    """A name and what proves it."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=1_000)


class TakenInvitation(Credentials):
    """An invitation that somebody takes up."""

    invitation: str = Field(max_length=200)


class PasswordChange(BaseModel):
    """The password that somebody has, and the one that they want."""

    old: str = Field(max_length=1_000)
    new: str = Field(max_length=1_000)


@session_router.get("/session")
def session(request: Request) -> Json:
    """Who is logged in, and what this project is called."""
    return _described(request, session_of(request))


@session_router.post("/login")
def log_in(request: Request, response: Response, given: Credentials) -> Json:
    """Log in."""
    accounts = services_of(request).accounts
    with HASHING:
        made = accounts.log_in(given.name, given.password, _address(request))
    give_cookie(request, response, made)
    return _described(request, made)


@session_router.post("/register")
def register(request: Request, response: Response, given: TakenInvitation) -> Json:
    """Make an account with an invitation, and log in."""
    accounts = services_of(request).accounts
    with HASHING:
        made = accounts.register(given.invitation, given.name, given.password)
    give_cookie(request, response, made)
    return _described(request, made)


@session_router.post("/logout")
def log_out(request: Request, response: Response, services: Services, session: LoggedIn) -> Json:
    """End this session."""
    services.accounts.sessions.log_out(session.token)
    COOKIE.take_back(request, response)
    return {}


@session_router.post("/password")
def change_password(
    request: Request, response: Response, session: LoggedIn, given: PasswordChange
) -> Json:
    """Change one's own password; this browser stays logged in, and no other."""
    accounts, person = services_of(request).accounts, session.person.id
    with HASHING:
        made = accounts.change_password(person, given.old, given.new, _address(request))
    give_cookie(request, response, made)
    return _described(request, made)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _described(request: Request, session: LoginSession | None) -> Json:
    services = services_of(request)
    if session is None:
        return {"project": services.title, "person": None, "csrf": "", "titles": {}, "unread": 0}
    person = session.person
    completion = services.crowd.way_back(session)
    return {
        "project": services.title,
        "person": {
            "id": person.id,
            "name": person.name,
            "role": person.role,
            "platform": person.platform,
        },
        "csrf": session.csrf,
        "titles": {name: used.task.title for name, used in services.work.tasks.items()},
        "unread": services.unread(person),
        "completion": None if completion is None else asdict(completion),
    }


own_router = APIRouter(prefix="/collect/api")


@own_router.get("/messages")
def messages(services: Services, session: LoggedIn) -> list[Json]:
    """One's conversation with the requesters; it can be read by those who are blocked, too."""
    found = services.work.messages.of(session.person.id)
    services.work.messages.mark_read(session.person.id, by_worker=True)
    return [shown_message(one, session.person.name) for one in found]


@own_router.post("/messages")
def send(services: Services, person: AWorker, body: Text) -> Json:
    """Write to the requesters."""
    services.work.messages.send(person.id, body, sender=person.id)
    return {}


@own_router.get("/earnings")
def earnings(services: Services, session: LoggedIn) -> Json:
    """What one has earned, and for what."""
    person = session.person.id
    earned = services.work.ledger.earnings(person)
    rate = earned.dollars_per_hour
    waiting = sum(
        services.work.tasks[one.task].settings.pay_cents
        for one in services.work.history(person)
        if one.state == AssignmentState.WAITING and one.task in services.work.tasks
    )
    return {
        "total_cents": earned.pay_cents + earned.bonus_cents,
        "bonus_cents": earned.bonus_cents,
        "waiting_cents": waiting,
        "seconds": earned.hours * 3600,
        "cents_per_hour": None if rate is None else rate * 100,
        "entries": [
            {**asdict(row), "at": row.at * 1000} for row in services.work.ledger.rows(person)
        ],
    }


def shown_message(message: WorkMessage, worker: str) -> Json:
    """A message as a page shows it; workers do not see which requester wrote."""
    return {
        "body": message.text,
        "at": message.at * 1000,
        "from": worker if message.from_worker else "The requesters",
        "is_mine": message.from_worker,
        "is_read": message.read_at is not None,
    }


people_router = APIRouter(prefix="/collect/api/console/people")


class BonusToGive(BaseModel):
    """A bonus; one of the same reference is given once."""

    task: str
    cents: int
    note: str
    reference: str


class QualificationToSet(BaseModel):
    """Whether somebody may work on a task, whatever the test says."""

    task: str
    passed: bool


@people_router.get("")
def people(services: Services, _: AReviewer) -> Json:
    """Everybody, with the quality of their work task by task."""
    unread = services.work.messages.unread_by_requesters()
    return {
        "people": [
            {
                "id": one.id,
                "name": one.name,
                "role": one.role,
                "platform": one.platform,
                "is_blocked": one.is_blocked,
                "unread": unread.get(one.id, 0),
            }
            for one in services.accounts.people()
        ],
        "quality": [
            {**asdict(one), "accepted": one.accepted} for one in services.work.workers.all()
        ],
    }


@people_router.get("/{person}")
def one_person(services: Services, _: AReviewer, person: int) -> Json:
    """One person: work, pay and messages."""
    found = services.accounts.person(person)
    messages = services.work.messages.of(person)
    services.work.messages.mark_read(person, by_worker=False)
    earned = services.work.ledger.earnings(person)
    return {
        "person": {**asdict(found), "is_blocked": found.is_blocked},
        "tasks": list(services.work.tasks),
        "quality": [
            {**asdict(one), "accepted": one.accepted}
            for one in services.work.workers.all()
            if one.person == person
        ],
        "messages": [shown_message(one, found.name) for one in messages],
        "earnings": {**asdict(earned), "dollars_per_hour": earned.dollars_per_hour},
    }


@people_router.post("/{person}/message")
def write_to(services: Services, requester: AReviewer, person: int, body: Text) -> Json:
    """Write to a worker."""
    services.work.messages.send(person, body, sender=requester.id)
    return {}


@people_router.post("/{person}/block")
def block(services: Services, requester: ARequester, person: int, reason: Text) -> Json:
    """Shut somebody out."""
    services.accounts.block(person, reason, by=requester.id)
    return {}


@people_router.post("/{person}/unblock")
def unblock(services: Services, requester: ARequester, person: int) -> Json:
    """Let somebody in again."""
    services.accounts.unblock(person, by=requester.id)
    return {}


@people_router.post("/{person}/bonus")
def bonus(services: Services, requester: ARequester, person: int, given: BonusToGive) -> Json:
    """Give a bonus."""
    new = services.work.ledger.give_bonus(
        person, given.task, given.cents, given.note, reference=given.reference, by=requester.id
    )
    return {"new": new}


@people_router.post("/{person}/qualification")
def qualify(
    services: Services, requester: ARequester, person: int, given: QualificationToSet
) -> Json:
    """Let somebody work without the test, or not any more."""
    services.work.qualifications.set(person, given.task, passed=given.passed, by=requester.id)
    return {}


@people_router.post("/{person}/role")
def give_role(
    services: Services,
    requester: ARequester,
    person: int,
    role: Annotated[CollectRole, Body(embed=True)],
) -> Json:
    """Give somebody another role."""
    services.accounts.set_role(person, role, by=requester.id)
    return {}


@people_router.post("/{person}/password")
def reset_password(services: Services, requester: ARequester, person: int) -> Json:
    """Give somebody a new password, which is shown this once."""
    with HASHING:
        return {"password": services.accounts.reset_password(person, by=requester.id)}
