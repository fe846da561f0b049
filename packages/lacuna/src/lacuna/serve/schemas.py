"""The objects of the JSON interface: questions, answers, and what corpora hold."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from lacuna.models.gapqa.rows import KnowledgeKind
from lacuna.pipeline.result import Degree, Stage
from lacuna.types import AnswerKind, FollowUp, Role, Span, YesNo
from lacuna.web.limits import Limits


class Schema(BaseModel, use_attribute_docstrings=True):
    """A JSON object; the text under a field is its description in ``/openapi.json``."""


class RequestSchema(Schema, extra="forbid"):
    """What a client sends; a field that is not known is refused, since it may be misspelt."""


class PlaceSchema(TypedDict):
    """Where something can be looked up in the file that it was read from."""

    __pydantic_config__ = ConfigDict(use_attribute_docstrings=True)  # type: ignore[misc]

    file: str
    """The path of the file in its source."""
    line: NotRequired[int]
    """Its line, from 1, where lines are counted."""
    page: NotRequired[int]
    """Its page, from 1, where pages are counted."""
    row: NotRequired[int]
    """Its row, from 1, where rows are counted."""
    cell: NotRequired[int]
    """Its cell, from 1, where cells are counted."""
    fragment: str
    """The name of the place in its file; empty where there is none."""
    url: str
    """What opens it; empty where there is none. An address on the server's own disk is given only
    to whoever sits there."""
    text: str
    """All of it in words, such as `guide/setup.md:12`."""


# Questions and their answers.
#
# ``ResultSchema`` describes what ``Result.as_json`` gives, with what only the server knows beside
# it.


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


class ChoiceRequest(RequestSchema):
    """A question with choices, and the core fact that the answer rests on."""

    question: str
    """What is asked, on one line."""
    fact: str
    """It holds half of the answer; what relates it to a choice is looked up."""
    choices: list[str]
    """Two or more; they are labelled A, B, C and so on in this order."""


class KeySpanSchema(Schema):
    """The part of the fact that hints at the answer: offsets in code points, half-open."""

    start: int
    """Where it begins in the fact."""
    end: int
    """Where it ends, exclusive."""
    text: str
    """Its words."""


class KnowledgeLineSchema(Schema):
    """A line of knowledge that was read for a choice."""

    text: str
    """The line."""
    kind: KnowledgeKind
    """The back-off is the key span and the choice side by side: no knowledge, only the words."""
    source: str
    """Where it is from."""
    relations: list[float]
    """How likely each relation is by this line alone."""


class ChoiceGapSchema(GapSchema):
    """The gap between the key span of the fact and a choice; knowledge may fill it."""

    relation: str
    """What relates the two; empty where that stays open."""
    filled: str
    """The same as a sentence."""


class ScoredChoiceSchema(Schema):
    """A choice, how likely it is the answer, and its gap."""

    label: str
    """Its letter."""
    text: str
    """Its words."""
    probability: float
    """How likely it is the answer, from 0 to 1."""
    fact_score: float
    """How well the fact composes with the question and this choice."""
    relation_score: float
    """How well its relation to the key span fits."""
    gap: ChoiceGapSchema | None
    """Filled by the first line, or open, where no line states how the two are related. Null where
    the choice is the key span itself, and where the model reads no knowledge: then there are no
    lines either."""
    about: float | None
    """How much of the words of span and choice the first line is about, where it fills the gap."""
    relations: list[float]
    """How likely each relation is by all lines together."""
    lines: list[KnowledgeLineSchema]
    """The clearest first, and last the back-off."""


class ChoiceResultSchema(ResultFields):
    """The choice that is the answer, and the gap that it rests on."""

    gaps: list[ChoiceGapSchema]
    """That of the answer, if it has one."""
    fact: str
    """The core fact, as it was typed."""
    key_span: KeySpanSchema
    """The part of the fact that hints at the answer."""
    relations: list[str]
    """Names of the relations, in the order of every list of likelihoods."""
    choices: list[ScoredChoiceSchema]
    """All choices, in the order of the question."""


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


class CorpusKind(StrEnum):
    """Where a corpus comes from."""

    DEMO = "demo"
    FOLDER = "folder"
    UPLOAD = "upload"
    TOGETHER = "together"


class ExampleQuestion(Schema):
    """A question to begin with."""

    question: str
    """What to ask."""
    title: str | None = None
    """The document that it is asked of; the whole corpus without one."""


class SkippedSchema(Schema):
    """A file that could not be read."""

    where: str
    """Its path in what was read."""
    reason: str
    """Why it could not be."""


class CorpusSchema(Schema):
    """A corpus that can be asked."""

    id: str
    """What a question names it by."""
    name: str
    """What people call it."""
    kind: CorpusKind
    """Where it comes from."""
    documents: int
    """How many documents it has."""
    examples: list[ExampleQuestion] = Field(default_factory=list)
    """Questions to begin with."""
    parts: list[str] = Field(default_factory=list)
    """The names of the corpora that it was made of, where several are asked together."""
    unread: int = 0
    """How many files could not be read."""
    skipped: list[SkippedSchema] = Field(default_factory=list)
    """The first of them, and why."""
    updated: float | None = None
    """When changed files were last read again, in seconds since 1970; null where none were."""


class ServerSchema(Schema):
    """What this server is, and may do."""

    version: str
    """The version of Lacuna."""
    default: str
    """The id of the corpus that is asked unless another is named."""
    person: str
    """A name for who asks, made from their token; empty where there are no tokens of several."""
    opens_folders: bool
    """Whether folders of the server's machine may be opened: only those that it was told of."""
    folders: list[str]
    """Those folders, with what lies in them; empty for who does not sit at that machine."""
    longest_question: int
    """Characters of a question, at most."""
    longest_fact: int
    """Characters of a core fact, at most."""
    longest_choice: int
    """Characters of a choice, at most."""
    most_choices: int
    """Choices of a question, at most."""
    example_with_choices: ChoiceRequest
    """One to begin with."""
    largest_upload: int
    """Bytes of an upload, at most."""
    upload_suffixes: list[str]
    """How the names of files end that can be read, and of archives of them."""
    models: list[str]
    """The models that a question may choose, the usual one first."""
    watches: bool
    """Whether changes of files are followed."""
    upload_hours: float
    """Hours after which an upload is deleted."""
    feedback: bool
    """Whether feedback is taken: the server was told where to keep it."""
    limits: Limits
    """What it takes on; whoever meets a limit is told which."""
    corpora: list[CorpusSchema]
    """Without the uploads: only who made an upload, and has its id, may see it."""


class FolderRequest(RequestSchema):
    """A folder of the server's machine."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    """Its full path on that machine."""


class TogetherRequest(RequestSchema):
    """Corpora that are to be asked as one."""

    corpora: Annotated[list[str], Field(min_length=2, max_length=8)]
    """Their ids."""


class TitlesSchema(Schema):
    """Titles that a search found, the best first."""

    titles: list[str]
    """The titles, the best first."""


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
