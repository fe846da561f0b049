"""Listen on an address, with bounds on who may connect, for how long, and what is logged of it."""

from __future__ import annotations

import asyncio
import errno
import http
import json
import logging
import logging.config
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Any, Protocol, cast

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from lacuna.errors import LacunaError
from lacuna.web.access import is_everywhere
from lacuna.web.limits import Limits
from lacuna.web.refusals import Refusal, current_request
from lacuna.web.work_queue import WorkQueue

SWEEP = 1.0
"""Seconds between two looks at who takes too long."""
SOCKETS_A_PERSON = 8
"""WebSockets; a page has one, and a lost one may be noticed late."""
LOG = logging.getLogger(__name__)


class KeptConnection(Protocol):
    """What the room knows of a connection."""

    address: str
    since: float
    """When the server began to wait for a request on it."""
    stalled_since: float | None
    """Since when its client takes nothing of what is sent; None where it does."""
    is_socket: bool
    """Whether it is a WebSocket, which nothing is asked on again and again."""
    owner: int | None
    """Who has logged in on it, where that is known."""

    @property
    def is_answering(self) -> bool:
        """Whether a request is being answered."""

    def give_up(self) -> None:
        """Tell the client that it took too long, and close."""

    def refuse(self) -> None:
        """Tell the client that there is no room, and close."""

    def drop(self) -> None:
        """Close at once."""


class ConnectionRoom:
    """The connections of a server."""

    def __init__(self, limits: Limits, most: int | None = None) -> None:
        self._limits = limits
        self.most = min(limits.connections, most or limits.connections)
        self._open: set[KeptConnection] = set()
        self._sweep: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: KeptConnection) -> None:
        """Let a connection in; another one goes where there is no room, or else this one."""
        self._open.add(connection)
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(SWEEP, self._look)
        addresses = Counter(one.address for one in self._open)
        crowd = None
        if addresses[connection.address] > self._limits.connections_per_address:
            crowd = connection.address
        elif len(self._open) > self.most:
            crowd = addresses.most_common(1)[0][0]
        if crowd is not None:
            self._make_room(crowd, connection)

    def has_place_for_socket(self, address: str) -> bool:
        """Tell if one more WebSocket may stay: a quarter of the places is kept for pages. One that
        is not in use goes where there is no place."""
        sockets = [one for one in self._open if one.is_socket]
        if len(sockets) < self.most * 3 // 4:
            sockets = [one for one in sockets if one.address == address]
            if len(sockets) < self._limits.connections_per_address * 3 // 4:
                return True
        idle = [one for one in sockets if not one.is_answering]
        if idle:
            self._close_oldest(idle)
        return bool(idle)

    def own(self, connection: KeptConnection, owner: int) -> None:
        """Note whose connection it is; who has too many loses the oldest."""
        connection.owner = owner
        own = [one for one in self._open if one.owner == owner]
        if len(own) > SOCKETS_A_PERSON:
            LOG.warning("One person has too many WebSockets; the oldest is closed.")
            self._close_oldest(own)

    def remove(self, connection: KeptConnection) -> None:
        """A connection was closed."""
        self._open.discard(connection)

    def close_all(self) -> None:
        """Close all that are left, at once."""
        for connection in list(self._open):
            connection.drop()

    def _make_room(self, address: str, newcomer: KeptConnection) -> None:
        idle = [
            one
            for one in self._open
            if one.address == address and one is not newcomer and not one.is_answering
        ]
        LOG.warning("There are too many connections from one address; the most idle are closed.")
        if idle:
            self._close_oldest(idle)
        else:
            newcomer.refuse()

    def _close_oldest(self, connections: Sequence[KeptConnection]) -> None:
        oldest = min(connections, key=lambda one: one.since)
        self._open.discard(oldest)
        oldest.drop()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for one in list(self._open):
            stalled = one.stalled_since
            if stalled is not None and now - stalled > self._limits.stalled_seconds:
                one.drop()
            elif not one.is_answering and now - one.since > self._limits.header_seconds:
                one.give_up()
        self._sweep = loop.call_later(SWEEP, self._look) if self._open else None


# HTTP as uvicorn speaks it, on connections that are timed and counted.
#
# uvicorn closes a connection that is idle after an answer, and bounds the size of headers. It
# waits for ever for a request that was begun, and for a client that does not take its answer.


TOO_SLOW = Refusal(408, "too-slow", "The request did not come in time. Send it again.")
NO_HTTP = Refusal(400, "bad-request", "This is no HTTP request, or its headers are too large.")
NO_ROOM = Refusal(503, "busy", "There are too many connections. Try again.", {"Retry-After": "5"})


class TimedProtocol(H11Protocol):
    """One connection."""

    is_socket = False
    owner: int | None = None

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
        """It is no HTTP any more: a `TimedSocket` takes its place, if there is one."""
        if not self._room.has_place_for_socket(self.address):
            self.refuse()
            return
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


ACCEPTED_AT_ONCE = 128
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
    at_once = max(1, min(ACCEPTED_AT_ONCE, room.most // 4))
    settings = uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], partial(TimedProtocol, room)),
        ws=_sockets_in(room) if longest else "none",
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


def _sockets_in(room: ConnectionRoom) -> type[asyncio.Protocol]:
    from lacuna.web.sockets import TimedSocket  # which only those install who speak on them

    return cast(type[asyncio.Protocol], partial(TimedSocket, room))


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


REQUESTS = "lacuna.requests"
"""The logger of requests; nothing is written of them but as JSON."""
FIELDS = "lacuna_fields"


class JsonLines(logging.Formatter):
    """One object on each line: time, level, message, the request's id, and what else is known."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; what a client sent stands in it only as escapes."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if request := current_request():
            line["request"] = request
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_request(method: str, route: str, status: int, seconds: float, refused: str) -> None:
    """Write that a request was answered: neither its address nor its words nor who sent it."""
    fields = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
    if refused:
        fields["refused"] = refused
    logging.getLogger(REQUESTS).info("request", extra={FIELDS: fields})


AT_ONCE = 5
"""How often the same message is written in one window."""
WINDOW = 60.0
KINDS = 1_000
"""Kinds of messages that are told apart; a flood of different ones is forgotten and begins anew."""


class RepeatFilter(logging.Filter):
    """Passes the first of each kind of message in a minute; the next one tells how many came."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._seen: dict[tuple[str, str, str], tuple[float, int]] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is to be written."""
        error = record.exc_info[0] if record.exc_info else None
        kind = (record.name, str(record.msg), error.__name__ if error else "")
        now = self._now()
        with self._lock:
            if len(self._seen) > KINDS:
                self._seen.clear()
            begun, count = self._seen.get(kind, (now, 0))
            left_out = 0
            if now - begun >= WINDOW:
                left_out, begun, count = max(0, count - AT_ONCE), now, 0
            self._seen[kind] = (begun, count + 1)
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out:,} more like it were not written)"
            record.args = None
        return count < AT_ONCE


class LogForm(StrEnum):
    """How the log is written."""

    PLAIN = "plain"
    JSON = "json"


def log_settings(form: LogForm = LogForm.PLAIN) -> dict[str, Any]:
    """How the server logs: warnings and errors of all its parts to standard error, each a few
    times a minute; as JSON, requests too, every one of them."""
    requests = {"level": "INFO", "handlers": ["requests"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"repeats": {"()": RepeatFilter}},
        "formatters": {
            LogForm.PLAIN: {"format": "%(asctime)s %(levelname)s: %(message)s"},
            LogForm.JSON: {"()": JsonLines},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": form,
                "filters": ["repeats"],
            },
            "requests": {"class": "logging.StreamHandler", "formatter": form},
        },
        "loggers": {REQUESTS: requests} if form is LogForm.JSON else {},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }


def run_app(
    listening: socket.socket,
    host: str,
    app: Starlette,
    ready: Callable[[str], None],
    log: LogForm = LogForm.PLAIN,
) -> None:
    """Serve on a port that was taken, until stopped; ``ready`` is called with the address."""
    ready(address_of(host, listening.getsockname()[1]))
    logging.config.dictConfig(log_settings(log))
    bounded_server(app).run(sockets=[listening])
