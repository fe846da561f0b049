"""Routes: questions with choices."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from lacuna.server.choice_schemas import ChoiceRequest, ChoiceResultSchema
from lacuna.server.refusals import Problem
from lacuna.server.services import AppServices, unless_gone

REFUSED: dict[int | str, dict[str, object]] = {
    422: {"model": Problem, "description": "The question cannot be asked with these choices"},
    503: {
        "model": Problem,
        "description": "Too many questions wait (see Retry-After), or there is no model",
    },
}
router = APIRouter(prefix="/api", tags=["Questions"])


@router.post("/choose", responses=REFUSED, response_model=ChoiceResultSchema)
async def choose(
    question: ChoiceRequest, request: Request, services: AppServices
) -> ChoiceResultSchema | Response:
    """Ask with a core fact and choices: the choice, the gap between the two, and what fills it."""
    future = services.choices.take(question)
    try:
        return await unless_gone(request, asyncio.wrap_future(future))
    finally:
        services.choices.leave(future)
