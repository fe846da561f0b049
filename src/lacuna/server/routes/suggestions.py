"""Routes: questions that are known to be answered."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from lacuna.server.routes.refused import GONE, NOT_FOUND, refused
from lacuna.server.schemas.suggestions import SuggestionsSchema, SuggestRequest
from lacuna.server.services import AppServices, Person, unless_gone

router = APIRouter(tags=["Questions"])


@router.post("/suggest", responses=refused(NOT_FOUND, GONE), response_model=SuggestionsSchema)
async def suggest(
    wanted: SuggestRequest, request: Request, services: AppServices, person: Person
) -> SuggestionsSchema | Response:
    """Up to three questions that the corpus answers, to begin with or to go on `after` an answer.

    Each was made from a sentence or a heading, asked while nobody else waited, and answered from
    there. That may take a while; who closes the connection ends it.
    """
    found = asyncio.ensure_future(services.suggestions.suggest(wanted, person))
    try:
        return await unless_gone(request, found)
    finally:
        found.cancel()
