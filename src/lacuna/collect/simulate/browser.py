"""A browser without a window: one connection, cookies, and the session's secret."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from lacuna.errors import LacunaError

API = "/collect/api/"
PATIENCE = 60.0


class Unreached(Exception):  # noqa: N818 - it is what a person sees
    """The server did not answer; what was sent may have arrived or not."""


class ScriptedBrowser:
    """Asks the server as a page does."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname:
            raise LacunaError(f"{address} is no address such as http://127.0.0.1:8430.")
        self.address = address
        self._connection = HTTPConnection(parts.hostname, parts.port or 80, timeout=PATIENCE)
        self._cookies: dict[str, str] = {}
        self._csrf = ""
        self.took = 0.0
        """Seconds until the last answer was there."""

    @property
    def cookie(self) -> str:
        """What it sends to say who it is."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    @property
    def csrf(self) -> str:
        """The session's secret."""
        return self._csrf

    def register(self, invitation: str, name: str, password: str) -> int:
        """Make an account, and stay logged in; the person's number."""
        given = {"invitation": invitation, "name": name, "password": password}
        status, told = self.call("POST", "register", given)
        if status != 200:
            raise LacunaError(
                f"A scripted person could not register: {told.get('message')} Give the address of "
                "this project's own server."
            )
        self._csrf = told["csrf"]
        return int(told["person"]["id"])

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        headers = {"Content-Type": "application/json", "X-Lacuna-CSRF": self._csrf}
        if self._cookies:
            headers["Cookie"] = self.cookie
        sent = None if body is None else json.dumps(body)
        begun = time.monotonic()
        try:
            response, told = self._answer(method, path, sent, headers)
        except (OSError, HTTPException) as error:
            self._connection.close()  # the next call opens a new one
            raise Unreached(str(error)) from error
        self.took = time.monotonic() - begun
        for header in response.headers.get_all("set-cookie") or ():
            for name, morsel in SimpleCookie(header).items():
                self._cookies[name] = morsel.value
        try:
            return response.status, json.loads(told)
        except ValueError:  # another server's page
            return response.status, {}

    def _answer(
        self, method: str, path: str, sent: str | None, headers: dict[str, str]
    ) -> tuple[HTTPResponse, bytes]:
        is_old = self._connection.sock is not None
        try:
            self._connection.request(method, API + path, sent, headers)
            response = self._connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, RemoteDisconnected):
            if not is_old:
                raise
            # The server closes connections that nobody used for a while: browsers open another.
            self._connection.close()
            self._connection.request(method, API + path, sent, headers)
            response = self._connection.getresponse()
        return response, response.read()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
