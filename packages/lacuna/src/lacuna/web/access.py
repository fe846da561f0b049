"""Who may use a server: tokens, the entrance, and the names that it answers under."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from lacuna.errors import LacunaError
from lacuna.web.refusals import NOT_PAGES, Refusal, response_to
from lacuna.web.sessions import SessionCookie, is_same, new_token, tokens_sent

VARIABLE = "LACUNA_TOKEN"
GOOD = re.compile(r"[A-Za-z0-9_\-]{16,200}")
"""What can stand in an address and in a cookie as it is, and cannot be guessed."""


def person_of(token: str) -> str:
    """A name for who has a token, which does not give the token away."""
    return blake2b(token.encode(), digest_size=8, person=b"lacuna").hexdigest()


def tokens_of_file(path: Path) -> tuple[str, ...]:
    """The tokens that a file holds; where there is no file, one is made, for its owner alone."""
    try:
        return (_make(path),)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise LacunaError(
            f"The token cannot be written to {path}: {error.strerror or error}. Give --token-file "
            "a path in a folder that you can write to."
        ) from error


def tokens_of_environment() -> tuple[str, ...]:
    """The tokens that the environment holds, for servers that a cluster starts; mostly none."""
    tokens = os.environ.get(VARIABLE, "").split()
    if not all(map(GOOD.fullmatch, tokens)):
        raise LacunaError(
            f"{VARIABLE} holds no token: that is 16 to 200 letters, digits, - and _, for each "
            "person, with spaces between them."
        )
    return tuple(dict.fromkeys(tokens))


def _make(path: Path) -> str:
    token = new_token()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{token}\n")
    return token


def _read(path: Path) -> tuple[str, ...]:
    try:
        tokens = path.read_text(encoding="utf-8").split()
        mode = path.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise LacunaError(
            f"The token cannot be read from {path}: {getattr(error, 'strerror', None) or error}. "
            "Give --token-file another path, or delete that file to get a new token."
        ) from error
    if os.name == "posix" and mode & 0o077:
        raise LacunaError(
            f"Others on this machine can read the token in {path}. Take that away with "
            f"`chmod 600 {path}`, or delete the file to get a new token."
        )
    if not tokens or not all(map(GOOD.fullmatch, tokens)):
        raise LacunaError(
            f"{path} holds no token: that is one line of 16 to 200 letters, digits, - and _, for "
            "each person. Delete the file to get a new one."
        )
    return tuple(dict.fromkeys(tokens))


# The names that a server answers under.
#
# A page of another site can make its own name point to this machine, and then read what the server
# gives, as if both were one site. So a name must be one that somebody configured. An address in
# numbers is not a name that can be pointed elsewhere: the one that the connection came in on is
# fine.


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound to that host."""
    if host.lower() == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_everywhere(host: str) -> bool:
    """Whether a server that is bound to that host listens on all addresses of its machine."""
    address = _address(host)
    return address is not None and address.is_unspecified


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The names of a server, beside those of loopback."""

    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, bound_to: str, named: Iterable[str] = ()) -> AllowedHosts:
        """Those that a server was bound to, and was told."""
        names = {_checked(name) for name in named}
        if not is_everywhere(bound_to):
            names.add(_without_brackets(bound_to))
        return cls(frozenset(names))

    def allow(self, header: str, local_address: str) -> bool:
        """Whether a ``Host`` header names this server, on a connection to ``local_address``."""
        name = _name_in(header)
        if not name:
            return False
        return name in self.names or is_loopback(name) or name == _without_brackets(local_address)


def _checked(name: str) -> str:
    if not name or _name_in(name) != _without_brackets(name):
        raise LacunaError(
            f"--allow-host {name!r} is no name of a machine. Give only the name, such as "
            "notes.example.org, without http:// and without a port."
        )
    return _without_brackets(name)


def _without_brackets(name: str) -> str:
    return name.lower().strip("[]")


def _name_in(header: str) -> str:
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:  # a bracket that is not closed
        return ""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a server, under which names, and which folders they may open by path."""

    tokens: Sequence[str] = ()
    """What a client must know one of, one for each person; without any, everybody gets in who can
    reach the server."""
    tokens_stay: bool = False
    """Whether they are the same after the next start: then a browser may remember one for days."""
    hosts: AllowedHosts = AllowedHosts()
    folders: Sequence[Path] = ()
    """Folders that may be opened by path, beside those of the corpus that it is started with."""
    local: bool = True
    """Whether whoever asks sits at the server's machine, and may be told where its files lie."""


# The entrance: who brings a token gets in, and a browser gets a cookie for the next time.
#
# The token comes in the address that ``lacuna serve`` prints, and is gone from the address at
# once; from then on the browser sends it as a cookie that no script can read and no other site can
# use. Programs send it as ``Authorization: Bearer``. Who has no token gets nothing but a short
# page that says what to do.


PAGE = Path(__file__).parent / "entrance.html"
IN_ADDRESS = "token"
REMEMBERED = 30 * 24 * 3600
"""Seconds that a browser keeps a token that stays; opening the address with it begins anew."""
COOKIE = SessionCookie("lacuna")
PERSON = "lacuna.person"
"""Where a request says who it is from."""
NO_TOKEN = Refusal(
    401,
    "no-token",
    "This server answers only who knows its token. Open the address that it printed, "
    "or send the token in it as `Authorization: Bearer TOKEN`.",
    {"WWW-Authenticate": "Bearer"},
)


class Entrance:
    """Lets in who knows a token, and remembers with the request who that is."""

    def __init__(self, tokens: Sequence[str], *, tokens_stay: bool = False) -> None:
        self._tokens = tokens
        self._cookie_seconds = REMEMBERED if tokens_stay else None
        self._page = PAGE.read_text(encoding="utf-8")

    def answer(self, scope: Scope) -> Response | None:
        """What to answer instead of what was asked for; None lets the request in."""
        is_page = scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(NOT_PAGES)
        if is_page and (entering := self._enter(scope)):
            return entering
        if (token := self._known(tokens_sent(Request(scope), COOKIE))) is not None:
            scope[PERSON] = person_of(token)
            return None
        if is_page:
            return HTMLResponse(self._page, 401, {"Cache-Control": "no-store"})
        return response_to(scope, NO_TOKEN)

    def _enter(self, scope: Scope) -> Response | None:
        """For who brings the token in the address: the cookie, and the address without it."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == IN_ADDRESS]
        if (token := self._known(given)) is None:
            return None
        left = urlencode([(name, value) for name, value in query if name != IN_ADDRESS])
        # One slash alone: two would be the name of another site.
        path = "/" + quote(scope["path"].lstrip("/\\"))
        response = RedirectResponse(
            f"{path}?{left}" if left else path, 303, {"Cache-Control": "no-store"}
        )
        COOKIE.give(Request(scope), response, token, self._cookie_seconds)
        return response

    def _known(self, given: Iterable[str]) -> str | None:
        """The first that is a token; all are compared, so that the time tells nothing."""
        pairs = [(token, is_same(value, token)) for value in given for token in self._tokens]
        return next((token for token, same in pairs if same), None)
