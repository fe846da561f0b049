"""Routes: questions and their answers."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from lacuna.server.question_service import Ticket
from lacuna.server.refusals import Problem
from lacuna.server.schemas import AskRequest, DialogSchema, Event, ResultSchema
from lacuna.server.services import AppServices, unless_gone

REFUSED: dict[int | str, dict[str, object]] = {
    404: {"model": Problem, "description": "The corpus, document or earlier answer is not there"},
    410: {"model": Problem, "description": "The corpus was deleted while the server was running"},
    422: {"model": Problem, "description": "The question cannot be asked"},
    503: {"model": Problem, "description": "Too many questions wait; Retry-After says how long"},
}
router = APIRouter(prefix="/api", tags=["Questions"])


@router.post("/ask", responses=REFUSED, response_model=ResultSchema)
async def ask(
    question: AskRequest, request: Request, services: AppServices
) -> ResultSchema | Response:
    """Ask, and wait for the answer."""
    ticket = services.questions.take(question)
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
        **REFUSED,
    },
    response_class=StreamingResponse,
)
async def ask_stream(question: AskRequest, services: AppServices) -> StreamingResponse:
    """Ask, and get every step as it is done."""
    return _EventStream(services.questions.take(question))


@router.get("/answers/{answer}", responses={404: REFUSED[404]})
async def dialog(answer: str, services: AppServices) -> DialogSchema:
    """An answer that was given, and the dialog before it."""
    return DialogSchema(answers=[cached.result for cached in services.answers.dialog(answer)])


class _EventStream(StreamingResponse):
    """The events of a ticket, which is given up when nobody listens any more."""

    def __init__(self, ticket: Ticket) -> None:
        self._ticket = ticket
        super().__init__(_encoded(ticket), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ticket.leave()


async def _encoded(ticket: Ticket) -> AsyncIterator[bytes]:
    async for event in ticket.events():
        yield _event(event)


def _event(event: Event) -> bytes:
    return f"event: {event.event}\ndata: {event.model_dump_json()}\n\n".encode()
