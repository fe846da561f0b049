"""The entrance: who brings a token gets in, and a browser gets a cookie for the next time.

The token comes in the address that ``lacuna serve`` prints, and is gone from the address at once;
from then on the browser sends it as a cookie that no script can read and no other site can use.
Programs send it as ``Authorization: Bearer``. Who has no token gets nothing but a short page that
says what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from lacuna.server.access.tokens import is_same, person_of
from lacuna.server.problem_pages import NOT_PAGES, response_to
from lacuna.server.refusals import Refusal

PAGE = Path(__file__).parent.parent / "static" / "entrance.html"
IN_ADDRESS = "token"
REMEMBERED = 30 * 24 * 3600
"""Seconds that a browser keeps a token that stays; opening the address with it begins anew."""
WEB = 80
"""The port that an address means which names none."""
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
        if (token := self._known(_tokens(scope))) is not None:
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
        response.set_cookie(
            _cookie(scope), token, self._cookie_seconds, httponly=True, samesite="strict"
        )
        return response

    def _known(self, given: Iterable[str]) -> str | None:
        """The first that is a token; all are compared, so that the time tells nothing."""
        pairs = [(token, is_same(value, token)) for value in given for token in self._tokens]
        return next((token for token, same in pairs if same), None)


def _tokens(scope: Scope) -> Iterator[str]:
    scheme, _, credentials = Headers(scope=scope).get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        yield credentials.strip()
    yield Request(scope).cookies.get(_cookie(scope), "")


def _cookie(scope: Scope) -> str:
    """Of the port that the browser sees, a proxy's perhaps: cookies do not tell the ports of a
    machine apart, and two may be in use."""
    try:
        port = urlsplit(f"//{Headers(scope=scope).get('host', '')}").port
    except ValueError:
        port = None
    return f"lacuna-{port or WEB}"
