"""Routes: the people of a project, for those who answer for it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from lacuna.collect.web.routes.own import MessageText, shown_message
from lacuna.collect.web.who import ARequester, AReviewer, CollectServicesHere

router = APIRouter(prefix="/collect/api/console/people")


class BlockReason(BaseModel):
    """Why somebody is shut out; they read it."""

    reason: str


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


@router.get("")
def people(services: CollectServicesHere, _: AReviewer) -> dict[str, Any]:
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


@router.get("/{person}")
def one_person(services: CollectServicesHere, _: AReviewer, person: int) -> dict[str, Any]:
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


@router.post("/{person}/message")
def write_to(
    services: CollectServicesHere, requester: AReviewer, person: int, given: MessageText
) -> dict[str, Any]:
    """Write to a worker."""
    services.work.messages.send(person, given.body, sender=requester.id)
    return {}


@router.post("/{person}/block")
def block(
    services: CollectServicesHere, requester: ARequester, person: int, given: BlockReason
) -> dict[str, Any]:
    """Shut somebody out."""
    services.accounts.block(person, given.reason, by=requester.id)
    return {}


@router.post("/{person}/unblock")
def unblock(services: CollectServicesHere, requester: ARequester, person: int) -> dict[str, Any]:
    """Let somebody in again."""
    services.accounts.unblock(person, by=requester.id)
    return {}


@router.post("/{person}/bonus")
def bonus(
    services: CollectServicesHere, requester: ARequester, person: int, given: BonusToGive
) -> dict[str, Any]:
    """Give a bonus."""
    new = services.work.ledger.give_bonus(
        person, given.task, given.cents, given.note, reference=given.reference, by=requester.id
    )
    return {"new": new}


@router.post("/{person}/qualification")
def qualify(
    services: CollectServicesHere, requester: ARequester, person: int, given: QualificationToSet
) -> dict[str, Any]:
    """Let somebody work without the test, or not any more."""
    services.work.qualifications.set(person, given.task, passed=given.passed, by=requester.id)
    return {}
