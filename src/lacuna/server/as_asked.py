"""A result as its request wants it: how sure it is to be, and with how many alternatives."""

from __future__ import annotations

from dataclasses import replace

from lacuna.pipeline.result import Degree, Result
from lacuna.server.schemas.answers import AskRequest


def as_asked(result: Result, request: AskRequest) -> Result:
    """The same answer in that shape."""
    others = result.alternatives[: request.alternatives]
    return replace(as_sure(result, request.min_confidence), alternatives=others)


def as_sure(result: Result, min_confidence: float | None) -> Result:
    """The same answer, called probable where it is less sure than is wanted."""
    if min_confidence is None or result.confidence is None:
        return result
    given = result.degree is not Degree.NONE
    return replace(result, probable=given and result.confidence < min_confidence)
