"""What people say of an answer."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from lacuna.server.schemas.base import RequestSchema, Schema


class Verdict(StrEnum):
    """A thumb up or down."""

    RIGHT = "right"
    WRONG = "wrong"


class FeedbackRequest(RequestSchema):
    """Whether an answer is right, and what would be."""

    answer: str = Field(max_length=100)
    """The id of the answer."""
    verdict: Verdict
    """Whether it is right."""
    correction: str | None = Field(default=None, max_length=2000)
    """The right answer, where this one is wrong; "none" if the documents do not say it."""


class FeedbackSchema(Schema):
    """Feedback as it was kept."""

    answer: str
    """The id of the answer."""
    verdict: Verdict
    """What was said of it."""
    correction: str | None
    """The right answer, if one was given."""
