"""Routes: what a worker does, from the list of tasks to handing in."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from lacuna.collect.web.ascii_json import AsciiJsonResponse
from lacuna.collect.web.refusing import fields_refused, stale_refused
from lacuna.collect.web.services import services_of
from lacuna.collect.web.who import AWorker, CollectServicesHere, working_session
from lacuna.collect.work.assigning import MESSAGES
from lacuna.collect.work.results import (
    Assigned,
    AssignmentState,
    NoWork,
    NoWorkReason,
    StaleDraft,
)
from lacuna.collect.work.work import TaskForWorker

router = APIRouter(prefix="/collect/api")
DONE = (AssignmentState.WAITING, AssignmentState.ACCEPTED, AssignmentState.REJECTED)


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
    is_open = services.open_items.by_task(person.id)
    return [
        {
            "name": one.task,
            "title": one.title,
            "pay_cents": one.pay_cents,
            "minutes": services.work.tasks[one.task].settings.minutes,
            "model_in_loop": services.work.tasks[one.task].settings.model_in_loop,
            "is_live": one.task in services.live,
            "open": is_open.get(one.task, 0),
            "done": sum(one.states.get(state, 0) for state in DONE),
            "resume": one.begun,
            "needs_test": one.qualified is None,
            "closed": _closed(one),
        }
        for one in services.work.tasks_for(person.id)
    ]


@router.post("/tasks/{task}/next")
def next_work(request: Request, task: str) -> AsciiJsonResponse:
    """What to do next, or why there is nothing."""
    person = working_session(request).person
    found = services_of(request).work.next_number(person.id, task)
    if isinstance(found, NoWork):
        why = {"assignment": None, "reason": found.reason, "message": found.message}
        return AsciiJsonResponse(why)
    return AsciiJsonResponse({"assignment": found})


@router.get("/work/{assignment}")
def open_work(request: Request, assignment: int) -> AsciiJsonResponse:
    """An assignment of one's own, as far as one may see it."""
    person, services = working_session(request).person, services_of(request)
    return AsciiJsonResponse(_shown(services, services.work.open(person.id, assignment)))


@router.put("/work/{assignment}/draft")
def save(request: Request, assignment: int, given: DraftToSave) -> AsciiJsonResponse:
    """Keep a draft."""
    person, services = working_session(request).person, services_of(request)
    saved = services.work.save(person.id, assignment, given.draft, given.version, given.seconds)
    if isinstance(saved, StaleDraft):
        raise stale_refused(saved)
    return AsciiJsonResponse(
        {
            "version": saved.version,
            "seconds_left": services.seconds_until(saved.expires_at),
            "is_expired": saved.is_expired,
        }
    )


@router.post("/work/{assignment}/submit")
def submit(request: Request, assignment: int, given: WorkToSubmit) -> AsciiJsonResponse:
    """Hand work in; the receipt, or what is wrong with it."""
    session, services = working_session(request), services_of(request)
    got = services.work.submit(session.person.id, assignment, given.work, given.key, given.seconds)
    if isinstance(got, list):
        raise fields_refused(got)
    return AsciiJsonResponse(
        {
            "receipt": got.receipt,
            "state": got.state,
            "late": got.late,
            "message": got.message,
            "completion": services.way_back(session, got),
        }
    )


@router.post("/work/{assignment}/skip")
def skip(
    services: CollectServicesHere, person: AWorker, assignment: int, given: ReasonGiven
) -> dict[str, Any]:
    """Give an item back."""
    services.work.skip(person.id, assignment, given.reason)
    return {}


@router.post("/work/{assignment}/report")
def report(
    services: CollectServicesHere, person: AWorker, assignment: int, given: ReportText
) -> dict[str, Any]:
    """Tell the requester that something is wrong with an item."""
    services.work.report(person.id, assignment, given.text)
    return {}


@router.post("/work/{assignment}/loop")
def ask_model(
    services: CollectServicesHere, person: AWorker, assignment: int, given: LoopQuestion
) -> dict[str, Any]:
    """Ask the model in the loop about a part of the work."""
    return services.loop.ask(person.id, assignment, given.work, given.part)


def _closed(task: TaskForWorker) -> str:
    """Why there is nothing to do, or empty."""
    if task.paused:
        return MESSAGES[NoWorkReason.PAUSED]
    return MESSAGES[NoWorkReason.NOT_QUALIFIED] if task.qualified is False else ""


def _shown(services: CollectServicesHere, assigned: Assigned) -> dict[str, Any]:
    task = services.work.tasks[assigned.task]
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
