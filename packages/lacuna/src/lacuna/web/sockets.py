"""WebSockets as uvicorn speaks them, counted and timed like the other connections of a server.

uvicorn lets anybody hold as many as there are files, and waits for ever for a client that takes
nothing.
"""

from __future__ import annotations

from asyncio import BaseTransport
from functools import partial
from typing import Any

from starlette.requests import HTTPConnection
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from lacuna.web.listening import ConnectionRoom

OWNED_BY = "owned_by"


def note_owner(socket: HTTPConnection, person: int) -> None:
    """Note whose socket this is: of too many of one person, the oldest is closed."""
    owned_by = getattr(socket.state, OWNED_BY, None)
    if owned_by is not None:  # a test may speak with the app directly
        owned_by(person)


class TimedSocket(WebSocketsSansIOProtocol):
    """One connection that has become a WebSocket."""

    is_socket = True

    def __init__(self, room: ConnectionRoom, **settings: Any) -> None:
        super().__init__(**settings)
        self._room = room
        self.address = ""
        self.since = self.loop.time()
        self.stalled_since: float | None = None
        self.owner: int | None = None

    @property
    def is_answering(self) -> bool:
        """Whether it is in use: the app has let it in, and nobody has closed it."""
        return self.handshake_complete and not self.close_sent and not self.transport.is_closing()

    def connection_made(self, transport: BaseTransport) -> None:
        """It takes the place of the connection that it was."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._room.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It was closed, by whomever."""
        self._room.remove(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not take what is sent."""
        if self.stalled_since is None:
            self.stalled_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does again."""
        self.stalled_since = None
        super().resume_writing()

    async def run_asgi(self) -> None:
        """Let the app say whose it is."""
        self.scope["state"][OWNED_BY] = partial(self._room.own, self)
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send, and give the client time to take its last words."""
        if message["type"] == "websocket.close":
            self.since = self.loop.time()
        await super().send(message)

    def give_up(self) -> None:
        """It took too long to be let in, or to be closed."""
        self.drop()

    def refuse(self) -> None:
        """There is no room."""
        self.drop()

    def drop(self) -> None:
        """Close at once."""
        self.transport.abort()
