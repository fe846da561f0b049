"""Routes: questions with choices."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from lacuna.server.schemas.choices import ChoiceRequest, ChoiceResultSchema
from lacuna.server.services import AppServices, unless_gone

router = APIRouter(tags=["Questions"])


@router.post("/choose", response_model=ChoiceResultSchema)
async def choose(
    question: ChoiceRequest, request: Request, services: AppServices
) -> ChoiceResultSchema | Response:
    """Ask with a core fact and choices: the choice, the gap between the two, and what fills it."""
    future = services.choices.take(question)
    try:
        return await unless_gone(request, asyncio.wrap_future(future))
    finally:
        services.choices.leave(future)
