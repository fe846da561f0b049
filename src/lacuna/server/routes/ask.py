"""Routes: questions and their answers."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from lacuna.server.question_service import Ticket
from lacuna.server.refusals import Problem
from lacuna.server.schemas import Answered, DialogTold, Event, ToAsk
from lacuna.server.services import Using
from lacuna.server.waiting import unless_gone

REFUSED: dict[int | str, dict[str, object]] = {
    404: {"model": Problem, "description": "The corpus, document or earlier answer is not there"},
    410: {"model": Problem, "description": "The corpus was deleted while the server was running"},
    422: {"model": Problem, "description": "The question cannot be asked"},
    503: {"model": Problem, "description": "Too many questions wait; Retry-After says how long"},
}
router = APIRouter(prefix="/api", tags=["Questions"])


@router.post("/ask", responses=REFUSED, response_model=Answered)
async def ask(to_ask: ToAsk, request: Request, using: Using) -> Answered | Response:
    """Ask, and wait for the answer."""
    place = using.desk.take(to_ask)
    try:
        return await unless_gone(request, place.answer())
    finally:
        place.leave()


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
async def ask_stream(to_ask: ToAsk, using: Using) -> StreamingResponse:
    """Ask, and be told of every step as it is done."""
    return _EventStream(using.desk.take(to_ask))


@router.get("/answers/{answer}", responses={404: REFUSED[404]})
async def dialog(answer: str, using: Using) -> DialogTold:
    """An answer that was given, and the dialog before it."""
    return DialogTold(answers=[one.told for one in using.kept.dialog(answer)])


class _EventStream(StreamingResponse):
    """The events of a place in line, which is given up when nobody listens any more."""

    def __init__(self, place: Ticket) -> None:
        self._place = place
        super().__init__(_encoded(place), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._place.leave()


async def _encoded(place: Ticket) -> AsyncIterator[bytes]:
    async for event in place.events():
        yield _event(event)


def _event(event: Event) -> bytes:
    return f"event: {event.event}\ndata: {event.model_dump_json()}\n\n".encode()
