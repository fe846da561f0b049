"""What the JSON interface takes and gives: the server, its corpora, and their documents."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, cast

from pydantic import Field

from lacuna.corpus.source_item import Skipped
from lacuna.corpus.store import Store
from lacuna.server.choice_schemas import ChoiceRequest
from lacuna.server.schemas import PlaceSchema, Schema
from lacuna.server.shown_places import place_for_others
from lacuna.types import Document, Section, Span


class CorpusKind(StrEnum):
    """Where a corpus comes from."""

    DEMO = "demo"
    FOLDER = "folder"
    UPLOAD = "upload"


class ExampleQuestion(Schema):
    """A question to begin with."""

    question: str
    title: str | None = None
    """The document that it is asked of; the whole corpus without one."""


class CorpusSchema(Schema):
    """A corpus that can be asked."""

    id: str
    name: str
    kind: CorpusKind
    documents: int
    examples: list[ExampleQuestion] = Field(default_factory=list)
    unread: int = 0
    """How many files could not be read."""
    skipped: list[Skipped] = Field(default_factory=list)
    """The first of them, and why."""
    updated: float | None = None
    """When changed files were last read again, in seconds since 1970; null where none were."""


class ServerSchema(Schema):
    """What this server is, and may do."""

    version: str
    default: str
    """The id of the corpus that is asked unless another is named."""
    opens_folders: bool
    """Whether folders of the server's machine may be opened: only those that it was told of."""
    folders: list[str]
    """Those folders, with what lies in them; empty for who does not sit at that machine."""
    longest_question: int
    longest_fact: int
    longest_choice: int
    most_choices: int
    example_with_choices: ChoiceRequest
    """One to begin with."""
    largest_upload: int
    upload_suffixes: list[str]
    """How the names of files end that can be read, and of archives of them."""
    watches: bool
    """Whether changes of files are followed."""
    upload_hours: float
    corpora: list[CorpusSchema]
    """Without the uploads: only someone who has an upload's id may see it."""


class FolderRequest(Schema):
    """A folder of the server's machine."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]


class TitlesSchema(Schema):
    """Titles that a search found, the best first."""

    titles: list[str]


class LinkSchema(Schema):
    """A link: ``title`` is the document that it leads to; null where it leads nowhere."""

    start: int
    end: int
    target: str
    title: str | None


class DocumentSchema(Schema):
    """A document. All places are offsets in Unicode code points, half-open."""

    corpus: str
    title: str
    text: str
    paragraphs: list[Span]
    sentences: list[Span]
    sections: list[Section]
    links: list[LinkSchema]
    place: PlaceSchema | None
    """Where it begins in its file."""

    @classmethod
    def of(cls, document: Document, store: Store, corpus: str, *, local: bool) -> DocumentSchema:
        """A document of a corpus, with where its links lead; ``local`` shows where its file is."""
        place = document.origin.at(0) if document.origin else None
        shown = place if local else place_for_others(place)
        titles = {link.target: store.resolve(link.target) for link in document.links}
        return cls(
            corpus=corpus,
            title=document.title,
            text=document.text,
            paragraphs=list(document.paragraphs),
            sentences=list(document.sentences),
            sections=list(document.sections),
            links=[
                LinkSchema(
                    start=link.start, end=link.end, target=link.target, title=titles[link.target]
                )
                for link in document.links
            ],
            place=None if shown is None else cast(PlaceSchema, shown.as_json()),
        )
