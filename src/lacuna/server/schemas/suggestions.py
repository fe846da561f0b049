"""Questions that are known to be answered."""

from __future__ import annotations

from lacuna.server.schemas.answers import AskedOf
from lacuna.server.schemas.base import Schema


class SuggestRequest(AskedOf):
    """What questions are wanted for: to go on `after` an answer, or to begin with."""


class SuggestedQuestion(Schema):
    """A question that was asked, and answered as surely as was wanted."""

    question: str
    """What to ask, of the whole corpus."""
    document: str
    """The title of the document that it was made from."""
    confidence: float | None
    """How likely its answer is right, from 0 to 1."""


class SuggestionsSchema(Schema):
    """Such questions; often fewer than three, and sometimes none."""

    questions: list[SuggestedQuestion]
    """Those that are surest to say something come first."""
