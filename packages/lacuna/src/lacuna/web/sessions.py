"""Log-in for every server: secrets and what is kept of them, the cookie, keys in headers, rates."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.responses import Response

BYTES = 24
"""Of chance: too many to be guessed, so that a plain digest of a token is enough to keep."""
WEB = 80
"""The port that an address means which names none."""


def new_token() -> str:
    """A token that nobody can guess, and that can stand in an address."""
    return secrets.token_urlsafe(BYTES)


def is_same(given: str, token: str) -> bool:
    """Whether a token is the right one; how long that takes says nothing about the right one."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())


def digest_of(token: str) -> str:
    """What is kept of a token that was given out."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def csrf_of(token: str) -> str:
    """What a page sends with every change, made from the cookie that other sites cannot read."""
    return digest_of(f"csrf:{token}")


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """The cookie by which a browser says who it is; no script can read it."""

    prefix: str
    samesite: Literal["lax", "strict"] = "strict"
    path: str = "/"

    def name(self, connection: HTTPConnection) -> str:
        """Of the port that the browser sees, a proxy's perhaps: cookies do not tell the ports of a
        machine apart, and two may be in use."""
        try:
            port = urlsplit(f"//{connection.headers.get('host', '')}").port
        except ValueError:
            port = None
        return f"{self.prefix}-{port or WEB}"

    def read(self, connection: HTTPConnection) -> str:
        """The token that a browser sent, or nothing."""
        return connection.cookies.get(self.name(connection), "")

    def give(
        self,
        connection: HTTPConnection,
        response: Response,
        token: str,
        seconds: int | None,
        *,
        secure: bool = False,
    ) -> None:
        """Let the browser send a token from now on; for https alone where that is what it speaks,
        or where ``secure`` says that a proxy does."""
        response.set_cookie(
            self.name(connection),
            token,
            seconds,
            path=self.path,
            secure=secure or connection.url.scheme == "https",
            httponly=True,
            samesite=self.samesite,
        )

    def take_back(self, connection: HTTPConnection, response: Response) -> None:
        """Let the browser forget it."""
        response.delete_cookie(self.name(connection), self.path)


def bearer_token(connection: HTTPConnection) -> str:
    """The token that a program sent as ``Authorization: Bearer``, or nothing."""
    scheme, _, credentials = connection.headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else ""


def tokens_sent(connection: HTTPConnection, cookie: SessionCookie) -> Iterator[str]:
    """A program's token and a browser's, those that there are."""
    yield from filter(None, (bearer_token(connection), cookie.read(connection)))


class RateLimit:
    """A bucket that fills with time, and that everything that is done takes from."""

    def __init__(self, at_once: int, a_second: float, now: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left = float(at_once)
        self._at = now

    def allows(self, now: float) -> bool:
        """Count one more; whether it may still be done."""
        self._left = min(self._at_once, self._left + (now - self._at) * self._a_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
