"""Waiting for an answer, as long as somebody wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from fastapi import Request, Response

T = TypeVar("T")
CLIENT_GONE = 499


async def unless_gone(request: Request, answer: Awaitable[T]) -> T | Response:
    """The answer; an empty response when the client has closed the connection before."""
    answered = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_gone(request))
    done, _ = await asyncio.wait({answered, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    return answered.result() if answered in done else Response(status_code=CLIENT_GONE)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
