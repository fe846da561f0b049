"""The events of a search, as they are sent while it goes on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lacuna.server.schemas.answers import ResultSchema, StepSchema
from lacuna.server.schemas.base import Schema


class WaitingEvent(Schema):
    """The question waits in the queue."""

    event: Literal["waiting"] = "waiting"
    """Which event it is."""
    ahead: int
    """How many questions come before it."""


class StepEvent(Schema):
    """A step of the search is done."""

    event: Literal["step"] = "step"
    """Which event it is."""
    step: StepSchema
    """What was done."""


class AnswerEvent(Schema):
    """The answer; the last event."""

    event: Literal["answer"] = "answer"
    """Which event it is."""
    answer: ResultSchema
    """The answer, as `/api/v1/ask` gives it."""


class ProblemEvent(Schema):
    """Why there will be no answer; the last event."""

    event: Literal["problem"] = "problem"
    """Which event it is."""
    code: str
    """A name for programs, as in a refused request."""
    message: str
    """A paragraph for people."""


Event = Annotated[
    WaitingEvent | StepEvent | AnswerEvent | ProblemEvent, Field(discriminator="event")
]
