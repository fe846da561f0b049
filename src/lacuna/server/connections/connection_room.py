"""Room for connections: so many in all and from one address, and none that dawdles.

Whoever opens many connections and says nothing on them must not keep others out, not even others
on the same machine. So a newcomer is let in, and of those that keep the server waiting the one
that has done so for longest goes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Protocol

from lacuna.server.limits import Limits

SWEEP = 1.0
"""Seconds between two looks at who takes too long."""
LOG = logging.getLogger(__name__)


class KeptConnection(Protocol):
    """What the room knows of a connection."""

    address: str
    since: float
    """When the server began to wait for a request on it."""
    stalled_since: float | None
    """Since when its client takes nothing of what is sent; None where it does."""

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
            oldest = min(idle, key=lambda one: one.since)
            self._open.discard(oldest)
            oldest.drop()
        else:
            newcomer.refuse()

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
