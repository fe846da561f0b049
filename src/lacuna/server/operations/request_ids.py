"""An id for each request, by which the lines of a log and a client's report find each other."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

HEADER = "X-Request-ID"
SANE = re.compile(r"[A-Za-z0-9._\-]{1,64}")
_CURRENT: ContextVar[str] = ContextVar("lacuna_request_id", default="")


def begin_request(given: str) -> str:
    """The id that a proxy or a client gave, where it can stand in a log as it is; else a new one.

    >>> begin_request("edge-1.42")
    'edge-1.42'
    >>> len(begin_request("two\\nlines"))
    16
    """
    request_id = given if SANE.fullmatch(given) else secrets.token_hex(8)
    _CURRENT.set(request_id)
    return request_id


def current_request() -> str:
    """The id of the request that is being answered here; empty where there is none."""
    return _CURRENT.get()
