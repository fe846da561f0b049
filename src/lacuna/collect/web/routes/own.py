"""Routes: a person's own messages and earnings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from lacuna.collect.web.who import AWorker, CollectServicesHere, LoggedIn
from lacuna.collect.work.messages import WorkMessage
from lacuna.collect.work.results import AssignmentState

router = APIRouter(prefix="/collect/api")


class MessageText(BaseModel):
    """What somebody writes."""

    body: str


@router.get("/messages")
def messages(services: CollectServicesHere, session: LoggedIn) -> list[dict[str, Any]]:
    """One's conversation with the requesters; it can be read by those who are blocked, too."""
    found = services.work.messages.of(session.person.id)
    services.work.messages.mark_read(session.person.id, by_worker=True)
    return [shown_message(one, session.person.name) for one in found]


@router.post("/messages")
def send(services: CollectServicesHere, person: AWorker, given: MessageText) -> dict[str, Any]:
    """Write to the requesters."""
    services.work.messages.send(person.id, given.body, sender=person.id)
    return {}


@router.get("/earnings")
def earnings(services: CollectServicesHere, session: LoggedIn) -> dict[str, Any]:
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


def shown_message(message: WorkMessage, worker: str) -> dict[str, Any]:
    """A message as a page shows it; workers do not see which requester wrote."""
    return {
        "body": message.text,
        "at": message.at * 1000,
        "from": worker if message.from_worker else "The requesters",
        "is_mine": message.from_worker,
        "is_read": message.read_at is not None,
    }
