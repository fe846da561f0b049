"""What the JSON interface takes and gives: questions, answers, and the events of a search.

``ResultSchema`` describes what ``Result.as_json`` gives, with what only the server knows beside it.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from lacuna.pipeline.result import Degree
from lacuna.pipeline.trace import Stage
from lacuna.types import AnswerKind, DialogActs, Evidence, Span


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
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    """How sure an answer is to be; one that is less sure is called probable. Without it, as sure as
    `lacuna serve --min-confidence` says."""
    alternatives: int = Field(default=5, ge=0, le=5)
    """How many other answers may come along."""


class PlaceSchema(TypedDict):
    """Where something can be looked up: a file, and the line, page or row, as far as it is known.

    ``url`` opens it, "" where there is none; an address on the server's own disk is given only to
    whoever sits there. ``text`` says it all in words.
    """

    file: str
    line: NotRequired[int]
    page: NotRequired[int]
    row: NotRequired[int]
    fragment: str
    url: str
    text: str


class QuoteSchema(Schema):
    """A sentence (or a few) of a document; all numbers are offsets into its text."""

    document: str
    section: list[str]
    text: str
    start: int
    end: int
    marks: list[Span]
    """What the answer was taken from."""
    followed: Span | None
    """The link of the context that led there, by its offsets in the context."""
    place: PlaceSchema | None


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


class AlternativeSchema(Schema):
    """Another answer that was considered, how likely it is right, and what speaks for it."""

    answer: AnswerSchema
    confidence: float
    quotes: list[QuoteSchema]


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
    found: str
    """What the texts say of it, as a phrase."""
    not_found: str
    """What they do not say, as a phrase."""
    looked_in: list[str]
    dangling: list[str]
    """Links that lead nowhere, and may have led to it."""
    nearest: Evidence | None
    nearest_place: PlaceSchema | None
    unread: int
    """Files of the corpus that could not be read: it may stand in one of them."""


class ResultFields(Schema):
    """An answer with everything that explains it."""

    question: str
    context: str | None
    """The title of the text that the question was asked of, given or found."""
    answer: AnswerSchema
    degree: Degree
    """Whether it is given as an answer, as a probable one (the likeliest, but less sure
    than was asked for), or not at all."""
    confidence: float | None
    alternatives: list[AlternativeSchema]
    """The likeliest first; where no answer was given, those that were not sure enough."""
    read_as: str | None
    """What a follow-up was understood as, where that is not what was typed."""
    quotes: list[QuoteSchema]
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
    nearest_quote: QuoteSchema | None
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
