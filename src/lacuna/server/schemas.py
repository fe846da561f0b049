"""What the JSON interface takes and gives: questions, answers, and the events of a search.

``ResultSchema`` describes what ``Result.as_json`` gives, with what only the server knows beside it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from lacuna.pipeline.result import Quote
from lacuna.pipeline.trace import Stage
from lacuna.types import AnswerKind, DialogActs, Evidence


class Schema(BaseModel, use_attribute_docstrings=True):
    """A JSON object; the text under a field is its description in ``/openapi.json``."""


class AskRequest(Schema):
    """A question, and what it is asked of."""

    question: str
    corpus: str | None = None
    """An id; the server's default without one."""
    title: str | None = None
    """The document that is read first; found by a search without one."""
    after: str | None = None
    """The id of the answer that this question follows up."""


class AnswerSchema(Schema):
    """An answer of any kind; ``text`` is how a person would write it."""

    text: str
    kind: AnswerKind
    texts: list[str]
    found_at: list[Evidence]
    value: float | None
    unit: str
    expression: str
    label: str


class CandidateSchema(Schema):
    """Something that a step considered: a link, a stretch of a document, or a possible answer."""

    title: str
    score: float | None
    """Null where it was not scored."""
    chosen: bool
    text: str
    start: int | None
    end: int | None
    section: list[str]
    dangling: bool
    """A link that leads nowhere."""


class StepSchema(Schema):
    """One stage of a search with its candidates, the best first, and the time it took."""

    stage: Stage
    hop: int
    message: str
    """What happened, in one plain sentence."""
    candidates: list[CandidateSchema]
    milliseconds: float


class GapSchema(Schema):
    """What is missing, where it was looked for, and the evidence that came closest."""

    missing: str
    looked_in: list[str]
    dangling: list[str]
    """Links that lead nowhere."""
    nearest: Evidence | None


class ResultFields(Schema):
    """An answer with everything that explains it."""

    question: str
    context: str | None
    """The title of the text that the question was asked of, given or found."""
    answer: AnswerSchema
    confidence: float | None
    quotes: list[Quote]
    acts: DialogActs | None
    milliseconds: float
    steps: list[StepSchema]


class ResultSchema(ResultFields):
    """An answer over a corpus."""

    id: str
    after: str | None
    """The id of the answer that was followed up."""
    corpus: str
    gaps: list[GapSchema]
    nearest_quote: Quote | None
    """The text of the first gap's nearest evidence."""


class DialogSchema(Schema):
    """The answers of a dialog, the first question first."""

    answers: list[ResultSchema]


class WaitingEvent(Schema):
    """The question waits in the queue."""

    event: Literal["waiting"] = "waiting"
    ahead: int


class StepEvent(Schema):
    """A step of the search is done."""

    event: Literal["step"] = "step"
    step: StepSchema


class AnswerEvent(Schema):
    """The answer; the last event."""

    event: Literal["answer"] = "answer"
    answer: ResultSchema


class ProblemEvent(Schema):
    """Why there will be no answer; the last event."""

    event: Literal["problem"] = "problem"
    code: str
    message: str


Event = WaitingEvent | StepEvent | AnswerEvent | ProblemEvent
