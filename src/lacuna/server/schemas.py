"""What the JSON interface takes and gives."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from lacuna.pipeline.result import Quote
from lacuna.pipeline.trace import Step
from lacuna.server.choice_schemas import ToChoose
from lacuna.server.schema import Schema
from lacuna.types import AnswerKind, DialogActs, Evidence, Section, Span


class CorpusKind(StrEnum):
    """Where a corpus comes from."""

    DEMO = "demo"
    FOLDER = "folder"
    UPLOAD = "upload"


class Example(Schema):
    """A question to begin with."""

    question: str
    title: str | None = None
    """The document that it is asked of; the whole corpus without one."""


class LeftOut(Schema):
    """A file of an upload that gave no document."""

    where: str
    reason: str


class CorpusTold(Schema):
    """A corpus that can be asked."""

    id: str
    name: str
    kind: CorpusKind
    documents: int
    examples: list[Example] = Field(default_factory=list)
    left_out: list[LeftOut] = Field(default_factory=list)


class ServerTold(Schema):
    """What this server is, and may do."""

    version: str
    default: str
    """The id of the corpus that is asked unless another is named."""
    opens_folders: bool
    """Whether folders of the server's machine may be opened: only when it is bound to loopback."""
    longest_question: int
    longest_fact: int
    longest_choice: int
    most_choices: int
    example_with_choices: ToChoose
    """One to begin with."""
    largest_upload: int
    upload_hours: float
    corpora: list[CorpusTold]
    """Uploads are not among them: only who has an upload's id may see it."""


class FolderToOpen(Schema):
    """A folder of the server's machine."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]


class TitlesTold(Schema):
    """Titles that a search found, the best first."""

    titles: list[str]


class LinkTold(Schema):
    """A link: ``title`` is the document that it leads to; null where it leads nowhere."""

    start: int
    end: int
    target: str
    title: str | None


class DocumentTold(Schema):
    """A document. All places are offsets in Unicode code points, half-open."""

    corpus: str
    title: str
    text: str
    paragraphs: list[Span]
    sentences: list[Span]
    sections: list[Section]
    links: list[LinkTold]


class ToAsk(Schema):
    """A question, and what it is asked of."""

    question: str
    corpus: str | None = None
    """An id; the server's default without one."""
    title: str | None = None
    """The document that is read first; found by a search without one."""
    after: str | None = None
    """The id of the answer that this question follows up."""


class AnswerTold(Schema):
    """An answer of any kind; ``text`` is how a person would write it."""

    text: str
    kind: AnswerKind
    texts: list[str]
    found_at: list[Evidence]
    value: float | None
    unit: str
    expression: str
    label: str


class GapTold(Schema):
    """What is missing, where it was looked for, and what came nearest."""

    missing: str
    looked_in: list[str]
    dangling: list[str]
    nearest: Quote | None


class Answered(Schema):
    """An answer with everything that explains it."""

    id: str
    after: str | None
    corpus: str
    question: str
    context: str | None
    """The title of the text that the question was asked of, given or found."""
    answer: AnswerTold
    confidence: float | None
    quotes: list[Quote]
    gaps: list[GapTold]
    acts: DialogActs | None
    steps: list[Step]
    milliseconds: float


class DialogTold(Schema):
    """The answers of a dialog, the first question first."""

    answers: list[Answered]


class Waiting(Schema):
    """The question stands in line."""

    event: Literal["waiting"] = "waiting"
    ahead: int


class StepDone(Schema):
    """A step of the search is done."""

    event: Literal["step"] = "step"
    step: Step


class AnswerGiven(Schema):
    """The answer; the last event."""

    event: Literal["answer"] = "answer"
    answer: Answered


class AnswerFailed(Schema):
    """Why there will be no answer; the last event."""

    event: Literal["problem"] = "problem"
    code: str
    message: str


Event = Waiting | StepDone | AnswerGiven | AnswerFailed
