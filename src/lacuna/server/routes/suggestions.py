"""Routes: questions that are known to be answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from lacuna.server.refusals import Refusal
from lacuna.server.routes.refused import GONE, NOT_FOUND, refused
from lacuna.server.schemas.suggestions import SuggestedQuestion, SuggestionsSchema, SuggestRequest
from lacuna.server.services import AppServices, Person, unless_gone

HERE = refused(NOT_FOUND, GONE)
router = APIRouter(tags=["Questions"])


@router.post("/suggest", responses=HERE, response_model=SuggestionsSchema)
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


@router.post(
    "/suggest/stream",
    responses={
        200: {
            "content": {"text/event-stream": {}},
            "description": "Server-sent events: `suggestion`, with a `SuggestedQuestion` as data",
        },
        **HERE,
    },
    response_class=StreamingResponse,
)
async def suggest_stream(
    wanted: SuggestRequest, services: AppServices, person: Person
) -> StreamingResponse:
    """The same questions, each as soon as it was answered; with the last, the stream ends."""
    found = await services.suggestions.look(wanted, person)
    return StreamingResponse(_encoded(found), media_type="text/event-stream")


async def _encoded(found: AsyncGenerator[SuggestedQuestion, None]) -> AsyncIterator[bytes]:
    async with aclosing(found):
        try:
            async for question in found:
                yield f"event: suggestion\ndata: {question.model_dump_json()}\n\n".encode()
        except Refusal:  # the corpus was deleted meanwhile: there are no more
            return
