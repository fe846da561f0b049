"""Routes: how far a project is, and who is invited to it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from lacuna.collect.people.invitations import JOIN
from lacuna.collect.people.person import CollectRole
from lacuna.collect.web.who import ARequester, AReviewer, CollectServicesHere
from lacuna.collect.work.progress import TaskProgress

router = APIRouter(prefix="/collect/api/console")


class PauseSwitch(BaseModel):
    """Whether a task is handed out."""

    paused: bool


class NewInvitation(BaseModel):
    """An invitation to be made."""

    role: CollectRole = CollectRole.WORKER
    uses: int = Field(1, ge=1, le=10_000)
    days: float = Field(14, gt=0, le=3_650)
    note: str = ""


@router.get("/overview")
def overview(services: CollectServicesHere, _: AReviewer) -> dict[str, Any]:
    """Progress, throughput, agreement and cost."""
    return {
        "tasks": [_progress(one) for one in services.work.progress.all()],
        "agreement": services.agreement(),
        "waiting": len(services.work.reviews.queue()),
        "reports": len(services.work.reports.all()),
        "unread": sum(services.work.messages.unread_by_requesters().values()),
    }


@router.post("/tasks/{task}/pause")
def pause(
    services: CollectServicesHere, requester: ARequester, task: str, given: PauseSwitch
) -> dict[str, Any]:
    """Hand out no more of a task, or go on."""
    services.work.progress.pause(task, given.paused, by=requester.id)
    return {}


@router.get("/reports")
def reports(services: CollectServicesHere, _: AReviewer) -> list[dict[str, Any]]:
    """What workers say is wrong with items."""
    return [{**asdict(one), "at": one.at * 1000} for one in services.work.reports.all()]


@router.post("/reports/{report}/settle")
def settle(services: CollectServicesHere, _: AReviewer, report: int) -> dict[str, Any]:
    """Note that a report was dealt with."""
    services.work.reports.settle(report)
    return {}


@router.get("/invitations")
def invitations(services: CollectServicesHere, _: ARequester) -> list[dict[str, Any]]:
    """Invitations that can still be used; their links are known to those who made them."""
    pending = services.accounts.invitations.pending()
    return [{**asdict(one), "expires_at": one.expires_at * 1000} for one in pending]


@router.post("/invitations")
def invite(
    services: CollectServicesHere, requester: ARequester, given: NewInvitation
) -> dict[str, Any]:
    """Make an invitation; its address is shown once."""
    code = services.accounts.invitations.invite(
        given.role, uses=given.uses, days=given.days, note=given.note, by=requester.id
    )
    return {"path": f"{JOIN}{code}"}


@router.get("/bonuses")
def bonuses(services: CollectServicesHere, _: ARequester) -> list[dict[str, Any]]:
    """What was earned beside the pay, and not yet entered."""
    return [asdict(one) for one in services.work.bonuses.due()]


@router.post("/bonuses")
def pay_bonuses(services: CollectServicesHere, requester: ARequester) -> dict[str, Any]:
    """Enter all of it."""
    return {"paid": len(services.work.bonuses.pay(by=requester.id))}


def _progress(task: TaskProgress) -> dict[str, Any]:
    return {
        **asdict(task),
        "accepted": task.accepted,
        "dollars_per_hour": task.dollars_per_hour,
        "accepted_by_hour": [(at * 1000, count) for at, count in task.accepted_by_hour],
        "cents_by_hour": [(at * 1000, cents) for at, cents in task.cents_by_hour],
    }
