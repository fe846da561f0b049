"""Routes: work that is done step by step."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from lacuna.collect.web.ascii_json import AsciiJsonResponse
from lacuna.collect.web.refusing import fields_refused
from lacuna.collect.web.who import AWorker, CollectServicesHere

router = APIRouter(prefix="/collect/api")


class StepAnswer(BaseModel):
    """The answer to one step."""

    number: int
    answer: dict[str, Any]


@router.get("/work/{assignment}/steps")
def steps(services: CollectServicesHere, person: AWorker, assignment: int) -> AsciiJsonResponse:
    """What was answered, and what is asked now."""
    return AsciiJsonResponse(services.work.steps.so_far(person.id, assignment))


@router.post("/work/{assignment}/steps")
def answer(
    services: CollectServicesHere, person: AWorker, assignment: int, given: StepAnswer
) -> AsciiJsonResponse:
    """Answer what is asked now; it cannot be changed afterwards."""
    got = services.work.steps.answer(person.id, assignment, given.number, given.answer)
    if not isinstance(got, dict):
        raise fields_refused(got)
    return AsciiJsonResponse(got)
