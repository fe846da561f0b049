"""Routes: questions and their answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from lacuna.server.question_service import Ticket
from lacuna.server.refusals import note_refusal
from lacuna.server.routes.refused import GONE, NOT_FOUND, refused
from lacuna.server.schemas.answers import AskRequest, DialogSchema, ResultSchema
from lacuna.server.schemas.events import Event, ProblemEvent
from lacuna.server.services import AnswerId, AppServices, Person, unless_gone

HERE = refused(NOT_FOUND, GONE)
router = APIRouter(tags=["Questions"])


@router.post("/ask", responses=HERE, response_model=ResultSchema)
async def ask(
    question: AskRequest, request: Request, services: AppServices, person: Person
) -> ResultSchema | Response:
    """Ask, and wait for the answer."""
    ticket = await services.questions.take(question, person)
    try:
        return await unless_gone(request, ticket.answer())
    finally:
        ticket.leave()


@router.post(
    "/ask/stream",
    responses={
        200: {
            "content": {"text/event-stream": {}},
            "description": "Server-sent events: `waiting`, `step`, and one `answer` or `problem`",
        },
        **HERE,
    },
    response_class=StreamingResponse,
)
async def ask_stream(
    question: AskRequest, request: Request, services: AppServices, person: Person
) -> StreamingResponse:
    """Ask, and get every step as it is done."""
    return _EventStream(await services.questions.take(question, person), request.scope)


@router.get("/answers/{answer}", responses=refused(NOT_FOUND))
async def dialog(answer: AnswerId, services: AppServices, person: Person) -> DialogSchema:
    """An answer that was given to the same person, and the dialog before it."""
    cached = await asyncio.to_thread(services.answers.dialog, answer, person)
    return DialogSchema(answers=[one.result for one in cached])


class _EventStream(StreamingResponse):
    """The events of a ticket, which is given up when nobody listens any more."""

    def __init__(self, ticket: Ticket, asked: Scope) -> None:
        self._ticket = ticket
        super().__init__(_encoded(ticket, asked), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ticket.leave()


async def _encoded(ticket: Ticket, asked: Scope) -> AsyncIterator[bytes]:
    async for event in ticket.events():
        if isinstance(event, ProblemEvent):  # its status was sent long ago
            note_refusal(asked, event.code)
        yield _event(event)


def _event(event: Event) -> bytes:
    return f"event: {event.event}\ndata: {event.model_dump_json()}\n\n".encode()
