"""The server, and its corpora."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lacuna.server.limits import Limits
from lacuna.server.schemas.base import RequestSchema, Schema
from lacuna.server.schemas.choices import ChoiceRequest


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
