"""Listening on an address, with bounds on who may connect and for how long."""

from __future__ import annotations

import asyncio
import errno
import socket
from functools import partial
from typing import Protocol, cast

import uvicorn
from starlette.applications import Starlette

from lacuna.errors import LacunaError
from lacuna.server.access.hosts import is_everywhere
from lacuna.server.connections.connection_room import ConnectionRoom
from lacuna.server.connections.timed_protocol import TimedProtocol
from lacuna.server.limits import Limits
from lacuna.server.stopping import LAST_WORDS, StoppableServer, Stopping

AT_ONCE = 128
"""Connections that may be waiting to be accepted."""
SOCKET_PING = 10.0
"""Seconds after which a WebSocket is asked for a sign of life, and in which it has to come."""
SPARE = 2
"""Seconds after all last words, when uvicorn cuts off what has still not ended."""


class BoundedServices(Protocol):
    """What an app that is served must have as ``state.services``."""

    @property
    def limits(self) -> Limits:
        """How much the server takes on."""

    @property
    def stopping(self) -> Stopping:
        """What must end with the server."""


def bounded_server(app: Starlette) -> StoppableServer:
    """A server of an app with services, with limits on its connections.

    An app that speaks on WebSockets says in ``state.socket_message`` how long a message may be.
    """
    services: BoundedServices = app.state.services
    longest: int = getattr(app.state, "socket_message", 0)
    room = ConnectionRoom(services.limits, _most_connections())
    # So many are accepted before the room has seen the first of them.
    at_once = max(1, min(AT_ONCE, room.most // 4))
    settings = uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], partial(TimedProtocol, room)),
        ws="websockets-sansio" if longest else "none",
        ws_max_size=longest,
        ws_ping_interval=SOCKET_PING,
        ws_ping_timeout=SOCKET_PING,
        ws_per_message_deflate=False,  # small messages, and nothing that unpacks to a huge one
        backlog=at_once,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=round(services.stopping.grace + LAST_WORDS) + SPARE,
    )
    return StoppableServer(settings, services.stopping, room)


def address_of(host: str, port: int) -> str:
    """The address to open, on this machine where the server listens on all of its addresses."""
    if is_everywhere(host):
        host = "::1" if ":" in host else "127.0.0.1"
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def _most_connections() -> int | None:
    """Half of the files that the process may open: corpora need some, too."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(1, soft // 2)


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Take a port; a taken one is reported in words, with the option that names another."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=256)
        # Those that are accepted take it over. Without it the body of an answer waits for the
        # client to confirm the headers, which clients put off by 40 ms.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise LacunaError(
                f"Port {port} is taken by another program, or by another `lacuna serve`. Choose "
                f"another with {option}; port 0 is any that is free."
            ) from error
        raise LacunaError(
            f"The server cannot listen on {host}:{port}: {error.strerror or error}. Choose "
            "another address or port."
        ) from error
