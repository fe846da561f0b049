"""Routes: questions with choices."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from lacuna.server.choice_schemas import Chosen, ToChoose
from lacuna.server.refusals import Problem
from lacuna.server.services import Using
from lacuna.server.waiting import unless_gone

REFUSED: dict[int | str, dict[str, object]] = {
    422: {"model": Problem, "description": "The question cannot be asked with these choices"},
    503: {
        "model": Problem,
        "description": "Too many questions wait (Retry-After says how long), or no model is there",
    },
}
router = APIRouter(prefix="/api", tags=["Questions"])


@router.post("/choose", responses=REFUSED, response_model=Chosen)
async def choose(to_choose: ToChoose, request: Request, using: Using) -> Chosen | Response:
    """Ask with a core fact and choices: the choice, the gap between the two, and what fills it."""
    future = using.choices.take(to_choose)
    try:
        return await unless_gone(request, asyncio.wrap_future(future))
    finally:
        using.choices.leave(future)
