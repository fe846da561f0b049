"""The body of a request while it comes in: how large it may be, and how long it may take."""

from __future__ import annotations

import asyncio

from fastapi import HTTPException
from starlette.types import Message, Receive

from lacuna.server.limits import MB, Limits
from lacuna.server.refusals import Refusal
from lacuna.server.stopping import Stopping
from lacuna.server.work_queue import stopping as is_stopping


class ArrivingBody:
    """Counts what comes in: a length that was announced may be false, or missing.

    FastAPI passes on only its own errors from here; they become Problems there.
    """

    def __init__(self, receive: Receive, size: int, limits: Limits, stopping: Stopping) -> None:
        self._receive = receive
        self._size = size
        self._limits = limits
        self._stopping = stopping
        self._end = asyncio.get_running_loop().time() + limits.body_seconds
        self._seen = 0
        self._is_whole = False

    async def receive(self) -> Message:
        """The next part of it; when all has come, whether the client has gone."""
        if self._is_whole:
            return await self._receive()
        now = asyncio.get_running_loop().time()
        at_most = min(now + self._limits.body_idle_seconds, self._end)
        try:
            async with asyncio.timeout_at(at_most) as timeout:
                with self._stopping.may_cut(timeout):
                    message = await self._receive()
        except TimeoutError:
            raise self._given_up() from None
        self._is_whole = not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > self._size:
            raise HTTPException(413, str(too_large(self._size)))
        return message

    def _given_up(self) -> HTTPException:
        if self._stopping.begun:
            return HTTPException(503, str(is_stopping()))
        return HTTPException(408, "The rest of the request did not come in time. Send it again.")


def too_large(limit: int) -> Refusal:
    """The refusal of a request with too many bytes."""
    shown = f"{limit // MB} MB" if limit >= MB else f"{limit >> 10} kB"
    return Refusal(413, "too-large", f"The request is larger than {shown}, which is the most.")
