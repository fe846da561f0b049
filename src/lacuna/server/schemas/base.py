"""What all objects of the JSON interface share, and the places that many of them name."""

from __future__ import annotations

from typing import NotRequired

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict


class Schema(BaseModel, use_attribute_docstrings=True):
    """A JSON object; the text under a field is its description in ``/openapi.json``."""


class RequestSchema(Schema, extra="forbid"):
    """What a client sends; a field that is not known is refused, since it may be misspelt."""


class PlaceSchema(TypedDict):
    """Where something can be looked up in the file that it was read from."""

    __pydantic_config__ = ConfigDict(use_attribute_docstrings=True)  # type: ignore[misc]

    file: str
    """The path of the file in its source."""
    line: NotRequired[int]
    """Its line, from 1, where lines are counted."""
    page: NotRequired[int]
    """Its page, from 1, where pages are counted."""
    row: NotRequired[int]
    """Its row, from 1, where rows are counted."""
    cell: NotRequired[int]
    """Its cell, from 1, where cells are counted."""
    fragment: str
    """The name of the place in its file; empty where there is none."""
    url: str
    """What opens it; empty where there is none. An address on the server's own disk is given only
    to whoever sits there."""
    text: str
    """All of it in words, such as `guide/setup.md:12`."""
