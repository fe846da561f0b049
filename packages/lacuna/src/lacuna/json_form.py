"""The one JSON form of an answer, made from the dataclasses: every door gives the same.

A field of a dataclass is a field of its JSON, in the same order and with the text under it as its
description. The metadata below say where that is not so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from lacuna.places import Place
from lacuna.types import Answer, Document

HIDDEN: Mapping[str, Any] = {"hidden": True}
"""A field for Python alone."""
NULLABLE: Mapping[str, Any] = {"nullable": True}
"""A field that is null where it is empty, or a number that JSON cannot express."""


def called(name: str) -> Mapping[str, Any]:
    """A field that has another name in JSON."""
    return {"called": name}


def without(*names: str) -> Mapping[str, Any]:
    """A field whose objects are shown without some of their fields."""
    return {"without": names}


@dataclass(frozen=True, slots=True)
class JsonField:
    """A field of a JSON object."""

    name: str
    called: str
    nullable: bool = False
    without: tuple[str, ...] = ()


@cache
def json_fields(form: type) -> tuple[JsonField, ...]:
    """The fields that JSON shows of a dataclass."""
    shown = tuple(
        JsonField(
            one.name,
            one.metadata.get("called", one.name),
            "nullable" in one.metadata,
            one.metadata.get("without", ()),
        )
        for one in fields(form)
        if "hidden" not in one.metadata
    )
    return (JsonField("text", "text"), *shown) if form is Answer else shown


def plain(value: Any, without: tuple[str, ...] = ()) -> Any:
    """Plain values for JSON; a document by its title.

    >>> plain(Answer.yes())["text"]
    'yes'
    """
    if isinstance(value, list | tuple):
        return [plain(one, without) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Document):
        return value.title
    if isinstance(value, Place):
        return value.as_json()
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    form: type = type(value)
    if not is_dataclass(form):
        return value
    values = {}
    for one in json_fields(form):
        if one.name not in without:
            said = plain(getattr(value, one.name), one.without)
            values[one.called] = None if one.nullable and said == "" else said
    return values
