"""Routes: what reviewers look at and decide."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from lacuna.collect.people.person import CollectRole, Person
from lacuna.collect.refused import RefusedError
from lacuna.collect.web.refusing import fields_refused
from lacuna.collect.web.who import AReviewer, CollectServicesHere
from lacuna.collect.work.review.reviewing import ReviewItem

router = APIRouter(prefix="/collect/api/console")


class SendBackReason(BaseModel):
    """Why work is not taken as it is; the worker reads it."""

    reason: str


class RepairedWork(BaseModel):
    """Work as a reviewer has mended it."""

    work: dict[str, Any]


@router.get("/queue")
def queue(services: CollectServicesHere, _: AReviewer) -> list[dict[str, Any]]:
    """What waits for a reviewer, oldest first."""
    return [_listed(one) for one in services.work.reviews.queue()]


@router.get("/sample")
def sample(
    services: CollectServicesHere,
    _: AReviewer,
    count: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[dict[str, Any]]:
    """Accepted work that nobody has looked at, chosen by chance."""
    return [_listed(one) for one in services.work.reviews.inspection_sample(count)]


@router.get("/submissions/{submission}")
def look_at(services: CollectServicesHere, _: AReviewer, submission: int) -> dict[str, Any]:
    """One submission, as its worker saw it and with what was written."""
    found = services.work.reviews.look_at(submission)
    task = services.work.tasks[found.task]
    return {
        **_listed(found),
        "title": task.task.title,
        "form": task.task.form,
        "shown": task.task.shown(found.payload, task.settings),
        "work": found.work,
        "loop": found.loop,
    }


@router.post("/submissions/{submission}/accept")
def accept(services: CollectServicesHere, reviewer: AReviewer, submission: int) -> dict[str, Any]:
    """Take it as it is."""
    _not_ones_own(services, reviewer, submission)
    services.work.reviews.accept(submission, reviewer=reviewer.id)
    return {}


@router.post("/submissions/{submission}/send-back")
def send_back(
    services: CollectServicesHere, reviewer: AReviewer, submission: int, given: SendBackReason
) -> dict[str, Any]:
    """Ask its worker to mend it."""
    services.work.reviews.send_back(submission, given.reason, reviewer=reviewer.id)
    return {}


@router.post("/submissions/{submission}/reject")
def reject(
    services: CollectServicesHere, reviewer: AReviewer, submission: int, given: SendBackReason
) -> dict[str, Any]:
    """Leave it out, and let somebody else do its item."""
    services.work.reviews.reject(submission, given.reason, reviewer=reviewer.id)
    return {}


@router.post("/submissions/{submission}/repair")
def repair(
    services: CollectServicesHere, reviewer: AReviewer, submission: int, given: RepairedWork
) -> dict[str, Any]:
    """Take it as the reviewer has mended it."""
    _not_ones_own(services, reviewer, submission)
    problems = services.work.reviews.repair(submission, given.work, reviewer=reviewer.id)
    if problems:
        raise fields_refused(problems)
    return {}


def _not_ones_own(services: CollectServicesHere, reviewer: Person, submission: int) -> None:
    if reviewer.role is CollectRole.REQUESTER:  # who may work alone on a project
        return
    if services.work.reviews.look_at(submission).person == reviewer.id:
        raise RefusedError("own-work", "This is your own work. Somebody else has to look at it.")


def _listed(item: ReviewItem) -> dict[str, Any]:
    return {
        "submission": item.submission,
        "task": item.task,
        "state": item.state,
        "person": item.person,
        "name": item.name,
        "item_key": item.item_key,
        "seconds": item.seconds,
        "late": item.late,
        "has_place": item.has_place,
        "at": item.at * 1000,
    }
