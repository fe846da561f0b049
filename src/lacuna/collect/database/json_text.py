"""JSON in a column of text, the same on every database."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

from lacuna.collect.refused import RefusedError


class JsonText(TypeDecorator[Any]):
    """A value as ASCII JSON: half surrogate pairs and NUL, which databases refuse, are escaped."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write a value; None is no value at all."""
        return None if value is None else written_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it again."""
        return None if value is None else json.loads(value)


def written_json(value: Any) -> str:
    """JSON in the one form in which it is stored."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise RefusedError(
            "no-json", f"What was sent is no JSON that can be stored: {error}."
        ) from error
