"""Questions and their answers.

``ResultSchema`` describes what ``Result.as_json`` gives, with what only the server knows beside it.
"""

from __future__ import annotations

from pydantic import Field

from lacuna.pipeline.result import Degree
from lacuna.pipeline.trace import Stage
from lacuna.server.schemas.base import PlaceSchema, RequestSchema, Schema
from lacuna.types import AnswerKind, FollowUp, Role, Span, YesNo

MOST_WINDOWS = 24
MOST_HOPS = 4
"""What one question may cost the others that wait."""


class AskedOf(RequestSchema):
    """What a question is asked of, and how sure its answer is to be."""

    corpus: str | None = None
    """An id; the server's default without one."""
    after: str | None = None
    """The id of the answer that this question follows up."""
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    """How sure an answer is to be; one that is less sure is called probable. Without it, as sure as
    `lacuna serve --min-confidence` says."""
    windows: int | None = Field(default=None, ge=1, le=MOST_WINDOWS)
    """Windows of documents that are ranked each time the search goes on; without it, as many as is
    usual (6)."""
    model: str | None = None
    """One of the server's `models`; the first without one."""


class AskRequest(AskedOf):
    """A question, and what it is asked of."""

    question: str
    """What is asked, on one line; the limit is `limits.question` of the server."""
    title: str | None = None
    """The document that is read first; found by a search without one."""
    hops: int | None = Field(default=None, ge=0, le=MOST_HOPS)
    """How often the search may go on along links from what it found; without it, as often as is
    usual (2)."""
    alternatives: int = Field(default=5, ge=0, le=5)
    """How many other answers may come along."""


class EvidenceSchema(Schema):
    """A stretch of a document, and what it is evidence for."""

    document: str
    """The title of the document."""
    start: int
    """Where it begins in the text of the document, in code points."""
    end: int
    """Where it ends, exclusive."""
    role: Role
    """Why it is there."""
    score: float | None
    """How strongly it speaks, where that was measured."""


class ActsSchema(Schema):
    """Dialog acts, as QuAC has them."""

    yes_no: YesNo | None
    """Whether the answer affirms (`y`), denies (`n`), or neither (`x`)."""
    follow_up: FollowUp | None
    """Whether a further question is worth asking: yes, maybe, no."""


class QuoteSchema(Schema):
    """A sentence (or a few) of a document; all numbers are offsets into its text."""

    document: str
    """The title of the document."""
    section: list[str]
    """The headings above it, the outermost first."""
    text: str
    """The words of it."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    marks: list[Span]
    """What the answer was taken from."""
    followed: Span | None
    """The link of the context that led there, by its offsets in the context."""
    place: PlaceSchema | None
    """Where that stands in its file, if it is known."""


class AnswerSchema(Schema):
    """An answer of any kind; ``text`` is how a person would write it."""

    text: str
    """The answer as a person would write it."""
    kind: AnswerKind
    """What kind of answer it is."""
    texts: list[str]
    """As it stands in the documents: one for a span or a number, several for spans, none for
    others."""
    found_at: list[EvidenceSchema]
    """Where the texts stand."""
    value: float | None
    """The value of a number."""
    unit: str
    """The unit of a number; empty where there is none."""
    expression: str
    """What a number was calculated from, such as `1931 - 1919`."""
    label: str
    """The letter of a choice."""


class AlternativeSchema(Schema):
    """Another answer that was considered, how likely it is right, and what speaks for it."""

    answer: AnswerSchema
    """The answer."""
    confidence: float
    """How likely it is right, from 0 to 1."""
    quotes: list[QuoteSchema]
    """The sentences that speak for it."""


class CandidateSchema(Schema):
    """Something that a step considered: a link, a stretch of a document, or a possible answer."""

    title: str
    """The document that it is, leads to, or stands in."""
    score: float | None
    """Null where it was not scored."""
    chosen: bool
    """Whether the search went on with it."""
    text: str
    """Its words."""
    start: int | None
    """Where it begins in its document; a link, in the document with the link."""
    end: int | None
    """Where it ends, exclusive."""
    section: list[str]
    """The headings above it, the outermost first."""
    dangling: bool
    """A link that leads nowhere."""
    source: str
    """Of a link, the document that it stands in; else empty."""


class StepSchema(Schema):
    """One stage of a search with its candidates, the best first, and the time it took."""

    stage: Stage
    """Which stage of the search it is."""
    hop: int
    """How many links had been followed, counted from 1."""
    message: str
    """What happened, in one plain sentence."""
    candidates: list[CandidateSchema]
    """What was considered, the best first."""
    milliseconds: float
    """The time that it took."""


class GapSchema(Schema):
    """What is missing, where it was looked for, and the evidence that came closest."""

    missing: str
    """What is missing, in a sentence."""
    found: str
    """What the texts say of it, as a phrase."""
    not_found: str
    """What they do not say, as a phrase."""
    looked_in: list[str]
    """The documents or sections that were read for it."""
    dangling: list[str]
    """Links that lead nowhere, and may have led to it."""
    nearest: EvidenceSchema | None
    """The evidence that came closest."""
    nearest_place: PlaceSchema | None
    """Where that can be looked up."""
    unread: int
    """Files of the corpus that could not be read: it may stand in one of them."""


class ResultFields(Schema):
    """An answer with everything that explains it."""

    question: str
    """What was asked, as it was typed."""
    context: str | None
    """The title of the text that the question was asked of, given or found."""
    answer: AnswerSchema
    """The answer; of the kind `none` where nothing answers."""
    degree: Degree
    """Whether it is given as an answer, as a probable one (the likeliest, but less sure
    than was asked for), or not at all."""
    confidence: float | None
    """How likely the answer is right, from 0 to 1, as measured."""
    alternatives: list[AlternativeSchema]
    """The likeliest first; where no answer was given, those that were not sure enough."""
    read_as: str | None
    """What a follow-up was understood as, or the part of a long question that was read; null where
    that is what was typed."""
    quotes: list[QuoteSchema]
    """The sentences that the answer rests on."""
    acts: ActsSchema | None
    """Dialog acts, where the model tells them."""
    milliseconds: float
    """The time that the search took."""
    steps: list[StepSchema]
    """How it was found, step by step."""


class ResultSchema(ResultFields):
    """An answer over a corpus."""

    id: str
    """What a follow-up, a shared link and feedback name it by."""
    after: str | None
    """The id of the answer that was followed up."""
    corpus: str
    """The id of the corpus."""
    gaps: list[GapSchema]
    """What is missing, where the question is not or only partly answered."""
    nearest_quote: QuoteSchema | None
    """The text of the first gap's nearest evidence."""
    from_corpora: dict[str, str] = Field(default_factory=dict)
    """Where several corpora are asked together: the name of the one that each quoted document is
    from, by its title."""


class DialogSchema(Schema):
    """The answers of a dialog, the first question first."""

    answers: list[ResultSchema]
    """The answers, the first question first."""
