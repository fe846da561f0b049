"""Routes: what people say of answers."""

from __future__ import annotations

from fastapi import APIRouter

from lacuna.server.routes.refused import GONE, NOT_FOUND, refused
from lacuna.server.schemas.feedback import FeedbackRequest, FeedbackSchema
from lacuna.server.services import AppServices, Person, lookup

FULL = {507: "There is no room for more"}
router = APIRouter(tags=["Questions"])


@router.post("/feedback", responses=refused(NOT_FOUND, GONE, FULL))
async def feedback(said: FeedbackRequest, services: AppServices, person: Person) -> FeedbackSchema:
    """Say whether an answer is right, and what would be; the last word about an answer counts.

    It is kept in the file that the server was told of, for testing: `feedback` of `/api/v1/server`
    says whether there is one.
    """
    return await lookup(services, lambda: services.feedback.take(said, person))
