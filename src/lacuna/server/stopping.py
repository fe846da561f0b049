"""How a server ends: what runs is finished or told so, in the interface's own shape."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from lacuna.server.connections.connection_room import ConnectionRoom
from lacuna.server.work_queue import WorkQueue

GRACE = 5.0
"""Seconds in which what has begun may be finished, unless told otherwise."""
LAST_WORDS = 1.0
"""Seconds after it in which clients may take their last answer."""


LOOK_AGAIN = 0.05
"""Seconds between two looks at what is not finished."""


class Stopping:
    """What must end with the server."""

    def __init__(self, queues: Sequence[WorkQueue], grace: float = GRACE) -> None:
        self._queues = queues
        self.grace = grace
        """Seconds in which what has begun may be finished."""
        self._arriving: set[asyncio.Timeout] = set()
        self.begun = False

    def begin(self) -> None:
        """Refuse what waits and what still comes in; what has begun goes on."""
        self.begun = True
        for queue in self._queues:
            queue.close()
        for timeout in self._arriving:
            timeout.reschedule(asyncio.get_running_loop().time())

    def give_up(self) -> None:
        """Tell those who wait for what has begun that it will not be finished."""
        for queue in self._queues:
            queue.abandon()

    @property
    def is_working(self) -> bool:
        """Whether something that has begun is not finished yet."""
        return any(queue.load()[1] for queue in self._queues)

    @contextmanager
    def may_cut(self, timeout: asyncio.Timeout) -> Iterator[None]:
        """Let a wait for a client's bytes run out when the server ends."""
        self._arriving.add(timeout)
        try:
            yield
        finally:
            self._arriving.discard(timeout)


class StoppableServer(uvicorn.Server):
    """uvicorn's server, which lets its app stop first."""

    def __init__(self, config: uvicorn.Config, stopping: Stopping, room: ConnectionRoom) -> None:
        super().__init__(config)
        self._stopping = stopping
        self._room = room

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drain, then close: while something is being finished, new requests are told so, and
        who asks whether this server is ready."""
        loop = asyncio.get_running_loop()
        grace = self._stopping.grace
        self._stopping.begin()
        loop.call_later(grace, self._stopping.give_up)
        loop.call_later(grace + LAST_WORDS, self._room.close_all)
        end = loop.time() + grace
        while self._stopping.is_working and loop.time() < end and not self.force_exit:
            await asyncio.sleep(LOOK_AGAIN)
        await super().shutdown(sockets)
