"""A result as its request wants it: how sure it is to be, and with how many alternatives."""

from __future__ import annotations

from dataclasses import replace

from lacuna.pipeline.result import Degree, Result
from lacuna.server.schemas.answers import AskRequest


def as_asked(result: Result, request: AskRequest) -> Result:
    """The same answer, called probable where it is less sure than the request wants it."""
    probable = result.probable
    if request.min_confidence is not None and result.confidence is not None:
        given = result.degree is not Degree.NONE
        probable = given and result.confidence < request.min_confidence
    others = result.alternatives[: request.alternatives]
    return replace(result, probable=probable, alternatives=others)
