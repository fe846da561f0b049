"""HTTP as uvicorn speaks it, on connections that are timed and counted.

uvicorn closes a connection that is idle after an answer, and bounds the size of headers. It waits
for ever for a request that was begun, and for a client that does not take its answer.
"""

from __future__ import annotations

import asyncio
import http
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from lacuna.server.connections.connection_room import ConnectionRoom
from lacuna.server.refusals import Refusal

TOO_SLOW = Refusal(408, "too-slow", "The request did not come in time. Send it again.")
NO_HTTP = Refusal(400, "bad-request", "This is no HTTP request, or its headers are too large.")
NO_ROOM = Refusal(503, "busy", "There are too many connections. Try again.", {"Retry-After": "5"})


class TimedProtocol(H11Protocol):
    """One connection."""

    def __init__(self, room: ConnectionRoom, **settings: Any) -> None:
        super().__init__(**settings)
        self._room = room
        self.address = ""
        self.since = self.loop.time()
        self.stalled_since: float | None = None

    @property
    def is_answering(self) -> bool:
        """Whether a request is being answered; its body may still be coming."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._room.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection was closed, by whomever."""
        self._room.remove(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """An answer was sent, and the next request is waited for."""
        self.since = self.loop.time()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """It is no HTTP any more: who speaks on it has limits of another kind."""
        self._room.remove(self)
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """The client does not take what is sent."""
        if self.stalled_since is None:
            self.stalled_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does again."""
        self.stalled_since = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Tell the client that it does not speak HTTP."""
        self._tell(NO_HTTP)

    def give_up(self) -> None:
        """Tell the client that it took too long, and close."""
        if self.transport.is_closing():  # what was sent is not taken
            self.drop()
        elif self.conn.trailing_data[0]:  # a part of a request is there
            self._tell(TOO_SLOW)
        else:
            self.transport.close()

    def refuse(self) -> None:
        """Tell the client that there is no room, and close."""
        self._tell(NO_ROOM)

    def drop(self) -> None:
        """Close at once."""
        self.transport.abort()

    def _tell(self, refusal: Refusal) -> None:
        """An answer without a request: only the bytes of one."""
        body = bytes(refusal.response().body)
        lines = [
            f"HTTP/1.1 {refusal.status} {http.HTTPStatus(refusal.status).phrase}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in refusal.headers.items()),
            "Connection: close",
        ]
        self.transport.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        self.transport.close()
