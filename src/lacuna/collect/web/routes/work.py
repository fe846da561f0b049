"""Routes: what a worker does, from the list of tasks to handing in."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from lacuna.collect.web.refusing import fields_refused, stale_refused
from lacuna.collect.web.who import AWorker, CollectServicesHere, LoggedIn
from lacuna.collect.work.results import Assigned, NoWork, StaleDraft

router = APIRouter(prefix="/collect/api")


class DraftToSave(BaseModel):
    """What somebody has written so far, from which version of it, and the time it took in all."""

    draft: dict[str, Any]
    version: int
    seconds: float


class WorkToSubmit(BaseModel):
    """Finished work; ``key`` is the same for the same work, however often it is sent."""

    work: dict[str, Any]
    key: str = Field(max_length=100)
    seconds: float


class ReasonGiven(BaseModel):
    """Why an item is skipped."""

    reason: str = ""


class ReportText(BaseModel):
    """What is wrong with an item."""

    text: str


class LoopQuestion(BaseModel):
    """A part of the work about which the model in the loop is asked."""

    work: dict[str, Any]
    part: str = Field(max_length=100)


@router.get("/tasks")
def tasks(services: CollectServicesHere, person: AWorker) -> list[dict[str, Any]]:
    """The tasks, with what they pay and where this person stands."""
    return [
        {
            "name": offer.task.name,
            "title": offer.task.task.title,
            "pay_cents": offer.task.settings.pay_cents,
            "minutes": offer.task.settings.minutes,
            "model_in_loop": offer.task.settings.model_in_loop,
            "open": offer.open,
            "done": offer.done,
            "resume": offer.begun,
            "needs_test": offer.needs_test,
            "closed": offer.closed,
        }
        for offer in services.offers.to(person.id)
    ]


@router.post("/tasks/{task}/next")
def next_work(services: CollectServicesHere, person: AWorker, task: str) -> dict[str, Any]:
    """What to do next, or why there is nothing."""
    found = services.assigning.next(person.id, task)
    if isinstance(found, NoWork):
        return {"assignment": None, "reason": found.reason, "message": found.message}
    return {"assignment": found.assignment}


@router.get("/work/{assignment}")
def open_work(services: CollectServicesHere, person: AWorker, assignment: int) -> dict[str, Any]:
    """An assignment of one's own, as far as one may see it."""
    return _shown(services, services.assigning.open(person.id, assignment))


@router.put("/work/{assignment}/draft")
def save(
    services: CollectServicesHere, person: AWorker, assignment: int, given: DraftToSave
) -> dict[str, Any]:
    """Keep a draft."""
    saved = services.drafts.save(
        person.id, assignment, given.draft, given.version, given.seconds
    )
    if isinstance(saved, StaleDraft):
        raise stale_refused(saved)
    return {
        "version": saved.version,
        "seconds_left": services.seconds_until(saved.expires_at),
        "is_expired": saved.is_expired,
    }


@router.post("/work/{assignment}/submit")
def submit(
    services: CollectServicesHere, session: LoggedIn, person: AWorker, assignment: int,
    given: WorkToSubmit,
) -> dict[str, Any]:
    """Hand work in; the receipt, or what is wrong with it."""
    got = services.submitting.submit(
        person.id, assignment, given.work, given.key, given.seconds
    )
    if isinstance(got, list):
        raise fields_refused(got)
    return {
        "receipt": got.receipt,
        "late": got.late,
        "message": got.message,
        "completion": services.way_back(session, got),
    }


@router.post("/work/{assignment}/skip")
def skip(
    services: CollectServicesHere, person: AWorker, assignment: int, given: ReasonGiven
) -> dict[str, Any]:
    """Give an item back."""
    services.drafts.skip(person.id, assignment, given.reason)
    return {}


@router.post("/work/{assignment}/report")
def report(
    services: CollectServicesHere, person: AWorker, assignment: int, given: ReportText
) -> dict[str, Any]:
    """Tell the requester that something is wrong with an item."""
    services.reports.report(person.id, assignment, given.text)
    return {}


@router.post("/work/{assignment}/loop")
def ask_model(
    services: CollectServicesHere, person: AWorker, assignment: int, given: LoopQuestion
) -> dict[str, Any]:
    """Ask the model in the loop about a part of the work."""
    return services.loop.ask(person.id, assignment, given.work, given.part)


def _shown(services: CollectServicesHere, assigned: Assigned) -> dict[str, Any]:
    task = services.tasks[assigned.task]
    return {
        "assignment": assigned.assignment,
        "task": assigned.task,
        "title": task.task.title,
        "form": task.task.form,
        "state": assigned.state,
        "shown": assigned.shown,
        "draft": assigned.draft,
        "version": assigned.version,
        "seconds": assigned.seconds,
        "seconds_left": services.seconds_until(assigned.expires_at),
        "pay_cents": assigned.pay_cents,
        "returned_reason": assigned.returned_reason,
        "is_test": assigned.is_test,
        "tests_left": assigned.tests_left,
        "model_in_loop": task.settings.model_in_loop and not assigned.is_test,
    }
