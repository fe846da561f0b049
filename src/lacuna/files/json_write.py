"""Write items as JSON, one at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from lacuna.errors import LacunaError
from lacuna.files.json_stream import Shape

Encoded = tuple[str | None, Any]
"""An item ready to be written, and its key where the file is an object."""


def write_items(
    out: TextIO, items: Iterable[Encoded], shape: Shape, header: Mapping[str, Any]
) -> None:
    """Write a whole file in the given shape; each item stands on a line of its own.

    ``header`` is looked at last, so it may be filled while the items are made.
    """
    if shape in (Shape.LINES, Shape.TEXT):
        for _, value in items:
            out.write(f"{value if shape is Shape.TEXT else dump(value)}\n")
        return
    before, after = {
        Shape.LIST: ("[", "]"),
        Shape.MAP: ("{", "}"),
        Shape.DATA: ('{"data": [', "]"),
    }[shape]
    out.write(before)
    separator = "\n"
    written: set[str | None] = set()
    for key, value in items:
        if shape is Shape.MAP and key in written:
            raise LacunaError(
                f"Two items have the id {key!r}, and an object can hold only one of them. "
                "Give them ids of their own."
            )
        written.add(key)
        out.write(separator + (f"{dump(key)}: " if shape is Shape.MAP else "") + dump(value))
        separator = ",\n"
    out.write("\n" + after)
    if shape is Shape.DATA:
        for name, value in header.items():
            out.write(f",\n{dump(name)}: {dump(value)}")
        out.write("}")
    out.write("\n")


def dump(value: Any) -> str:
    """One JSON value on one line; refuses NaN, which JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
