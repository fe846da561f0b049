"""Answers in ASCII: half a character, which a page may send in a draft, can be sent back."""

from __future__ import annotations

from typing import Any

from fastapi.responses import JSONResponse

from lacuna.collect.database.json_text import written_json


class AsciiJsonResponse(JSONResponse):
    """JSON in the form in which it is stored."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return written_json(content).encode("ascii")
