"""What routes may refuse, for the description of the interface: one shape for all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lacuna.server.refusals import Problem

Responses = dict[int | str, dict[str, Any]]

ALWAYS = {
    400: "The request cannot be understood",
    401: "No token, or a wrong one",
    403: "Not allowed: a folder that was not named, another site's page, what was not uploaded",
    405: "Nothing of this method is at this address",
    408: "The rest of the request did not come in time",
    413: "Too large",
    421: "The server does not answer under this name",
    422: "Not as expected; a field that is not known is refused too",
    500: "A mistake of the server; its own output says more",
    503: "Busy, ending, or without a store that it needs; Retry-After says when to come again",
    504: "It took too long",
}
NOT_FOUND = {404: "The corpus, document or answer is not there, or is another person's"}
GONE = {410: "The corpus was deleted while the server was running"}


def refused(*descriptions: Mapping[int, str]) -> Responses:
    """The refusals of a route, beside those that every route may have."""
    return {
        status: {"model": Problem, "description": description}
        for some in descriptions
        for status, description in some.items()
    }
