"""Clients that keep a connection open after a request, as pages that nobody looks at do."""

from __future__ import annotations

import http.client
import threading

from benchmarks.load.own_server import OwnServer

LOOK = 0.5
"""Seconds between two looks at which connections the server has closed."""


class IdleClients:
    """So many connections, each opened again where the server closes it."""

    def __init__(self, server: OwnServer, count: int) -> None:
        self._server = server
        self._ended = threading.Event()
        self._held = [self._connected() for _ in range(count)]
        self.opened = count
        self.refused = 0
        self._thread = threading.Thread(target=self._keep)

    def __enter__(self) -> IdleClients:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        for connection in self._held:
            connection.close()

    def answered(self) -> int:
        """How many of them get an answer now, on a new connection where theirs was just closed."""
        self._end()
        again = (self._asks(one) or self._asks(self._new()) for one in self._held)
        return sum(again)

    def _end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _keep(self) -> None:
        while not self._ended.wait(LOOK):
            for place, connection in enumerate(self._held):
                if _is_closed(connection):
                    connection.close()
                    self._held[place] = self._connected()
                    self.opened += 1

    def _connected(self) -> http.client.HTTPConnection:
        connection = self._new()
        if not self._asks(connection):
            self.refused += 1
        return connection

    def _new(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._server.host, self._server.port, timeout=60)

    def _asks(self, connection: http.client.HTTPConnection) -> bool:
        known = {"Authorization": f"Bearer {self._server.token}"}
        try:
            connection.request("GET", "/api/v1/server", headers=known)
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            return False
        return response.status == 200


def _is_closed(connection: http.client.HTTPConnection) -> bool:
    if connection.sock is None:
        return True
    connection.sock.setblocking(False)
    try:
        return not connection.sock.recv(1)
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.sock.settimeout(60)
