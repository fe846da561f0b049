"""Routes: questions with choices."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from lacuna.server.choice_schemas import Chosen, ToChoose
from lacuna.server.refusals import Problem
from lacuna.server.services import AppServices, unless_gone

REFUSED: dict[int | str, dict[str, object]] = {
    422: {"model": Problem, "description": "The question cannot be asked with these choices"},
    503: {
        "model": Problem,
        "description": "Too many questions wait (Retry-After says how long), or no model is there",
    },
}
router = APIRouter(prefix="/api", tags=["Questions"])


@router.post("/choose", responses=REFUSED, response_model=Chosen)
async def choose(to_choose: ToChoose, request: Request, services: AppServices) -> Chosen | Response:
    """Ask with a core fact and choices: the choice, the gap between the two, and what fills it."""
    future = services.choices.take(to_choose)
    try:
        return await unless_gone(request, asyncio.wrap_future(future))
    finally:
        services.choices.leave(future)
