"""The objects of the JSON interface: questions, answers, and what corpora hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, is_dataclass
from enum import StrEnum
from functools import cache
from inspect import cleandoc, getdoc, getsource
from itertools import pairwise
from textwrap import dedent
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ConfigDict, Field, create_model
from typing_extensions import TypedDict

from lacuna.json_form import json_fields
from lacuna.pipeline.result import Quote, Result, Step
from lacuna.places import Place
from lacuna.types import Document
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


STANDS_FOR: dict[Any, Any] = {Document: str, Place: PlaceSchema}
"""What JSON has instead: a document by its title, a place with what it counts."""


@cache
def schema_of(form: type, without: tuple[str, ...] = ()) -> type[BaseModel]:
    """The description of what a dataclass is in JSON: its fields, with the text under each."""
    hints, told = get_type_hints(form), _texts_under(form)
    described: dict[str, Any] = {}
    for one in json_fields(form):
        if one.name not in without:
            shape = _shape(hints.get(one.name, str), one.without)
            text = told.get(one.name) or getdoc(getattr(form, one.name))
            described[one.called] = (
                shape | None if one.nullable else shape,
                Field(description=text),
            )
    name = form.__name__
    if not form.__module__.startswith(f"{__package__}."):
        name = f"{'Short' if without else ''}{name}Schema"
    about = (getdoc(form) or "").partition("\n\n")[0]
    return create_model(name, __doc__=about, __module__=__name__, **described)


def _shape(hint: Any, without: tuple[str, ...]) -> Any:
    if hint in STANDS_FOR:
        return STANDS_FOR[hint]
    if is_dataclass(hint):
        return schema_of(cast(type, hint), without)
    parts = [_shape(one, without) for one in get_args(hint) if one is not ...]
    if get_origin(hint) in (list, tuple):
        return list[parts[0]]  # type: ignore[valid-type]
    return Union[tuple(parts)] if get_origin(hint) is UnionType else hint  # noqa: UP007


def _texts_under(form: type) -> dict[str, str]:
    """The text under each field of a class, and of those that it inherits from."""
    found = {}
    for one in form.__mro__[-2::-1]:
        (of_class,) = ast.parse(dedent(getsource(one))).body
        for declared, text in pairwise(cast(ast.ClassDef, of_class).body):
            match declared, text:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(said))):
                    found[name] = cleandoc(said)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSchema(Result):
    """An answer over a corpus."""

    id: str
    """What a follow-up, a shared link and feedback name it by."""
    after: str | None
    """The id of the answer that was followed up."""
    corpus: str
    """The id of the corpus."""
    nearest_quote: Quote | None
    """The text of the first gap's nearest evidence."""
    from_corpora: dict[str, str]
    """Where several corpora are asked together: the name of the one that each quoted document is
    from, by its title."""


@dataclass(frozen=True, slots=True)
class DialogSchema:
    """The answers of a dialog, the first question first."""

    answers: tuple[ResultSchema, ...]
    """The answers, the first question first."""


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """The question waits in the queue."""

    event: Literal["waiting"] = field(default="waiting", init=False)
    """Which event it is."""
    ahead: int
    """How many questions come before it."""


@dataclass(frozen=True, slots=True)
class StepEvent:
    """A step of the search is done."""

    event: Literal["step"] = field(default="step", init=False)
    """Which event it is."""
    step: Step
    """What was done."""


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """The answer; the last event."""

    event: Literal["answer"] = field(default="answer", init=False)
    """Which event it is."""
    answer: ResultSchema
    """The answer, as `/api/v1/ask` gives it."""


@dataclass(frozen=True, slots=True)
class ProblemEvent:
    """Why there will be no answer; the last event."""

    event: Literal["problem"] = field(default="problem", init=False)
    """Which event it is."""
    code: str
    """A name for programs, as in a refused request."""
    message: str
    """A paragraph for people."""


Event = WaitingEvent | StepEvent | AnswerEvent | ProblemEvent


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
    `lacuna config` says."""
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


class ChoiceRequest(RequestSchema):
    """A question with choices, and the core fact that the answer rests on."""

    question: str
    """What is asked, on one line."""
    fact: str
    """It holds half of the answer; what relates it to a choice is looked up."""
    choices: list[str]
    """Two or more; they are labelled A, B, C and so on in this order."""


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
    finds_language_models: bool
    """Whether `/api/v1/language-models` looks for more of them on the server's machine."""
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


class LanguageModelServer(Schema):
    """A server of language models that answers on the server's machine."""

    name: str
    """The program that mostly answers at this port."""
    port: int
    """Its port."""
    models: list[str]
    """The models that it lists, without those that it would send questions on for."""


class LanguageModelsSchema(Schema):
    """What was found."""

    servers: list[LanguageModelServer]
    """Those that have a model, in the order of the usual ports."""


class LanguageModelRequest(RequestSchema):
    """A model of one of those servers."""

    port: int = Field(ge=1, le=65535)
    """The port of the server."""
    model: Annotated[str, Field(min_length=1, max_length=200)]
    """The model, as the server lists it."""


class ModelSchema(Schema):
    """A model that questions may choose."""

    model: str
    """What a question names it by."""


class FolderRequest(RequestSchema):
    """A folder of the server's machine."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    """Its full path on that machine."""


class ReadingSchema(Schema):
    """How far an upload is."""

    read: int
    """Files that were read."""
    files: int
    """Files that are to be read; zero before that is known."""


class TogetherRequest(RequestSchema):
    """Corpora that are to be asked as one."""

    corpora: Annotated[list[str], Field(min_length=2, max_length=8)]
    """Their ids."""


class TitlesSchema(Schema):
    """Titles that a search found, the best first."""

    titles: list[str]
    """The titles, the best first."""


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
