"""What can be found in a corpus beside answers: passages, links, ways, neighbours."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lacuna.server.schemas.base import PlaceSchema, RequestSchema, Schema
from lacuna.server.schemas.documents import LinkSchema, TitleQuery
from lacuna.types import Span


class TitlesQuery(RequestSchema):
    """What to look for among the titles."""

    q: str = Field(default="", max_length=200)
    """What was typed; without it the first titles."""
    limit: int = Field(default=12, ge=1, le=100)
    """How many titles at most."""


class SearchQuery(RequestSchema):
    """What to look for in the texts."""

    q: str = Field(max_length=1000)
    """Words to look for; "quoted words" must stand together."""
    limit: int = Field(default=10, ge=1, le=50)
    """How many passages at most."""
    all_words: bool = False
    """Whether every word must be there."""
    title: str | None = Field(default=None, max_length=1000)
    """Only in this document."""


class SnippetSchema(Schema):
    """The part of a passage that best shows why it was found."""

    text: str
    """Its words."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    marks: list[Span]
    """Where the words that were looked for stand in the text of the document."""


class PassageHit(Schema):
    """A passage that a search found."""

    title: str
    """The document that it stands in."""
    section: list[str]
    """The headings above it, the outermost first."""
    score: float
    """How well it fits; comparable within one search only."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    snippet: SnippetSchema
    """The part of it to show."""
    place: PlaceSchema | None
    """Where it stands in its file."""


class PassageHits(Schema):
    """What a search found."""

    hits: list[PassageHit]
    """The passages, the best first."""


class LinksQuery(TitleQuery):
    """The links of which document."""

    limit: int = Field(default=50, ge=1, le=200)
    """How many documents that link to it are named at most."""


class Backlink(Schema):
    """A document that links to another, and where."""

    title: str
    """The document with the link."""
    start: int
    """Where the link begins in its text."""
    end: int
    """Where the link ends, exclusive."""
    sentence: Span
    """The sentence around the link, in its text."""
    text: str
    """The words of that sentence."""


class DocumentLinks(Schema):
    """The links of a document, in both directions."""

    title: str
    """The document."""
    out: list[LinkSchema]
    """Its own links, in the order of the text."""
    back: list[Backlink]
    """Links to it, one for each document that has one."""
    back_total: int
    """How many documents link to it."""


class PreviewSchema(Schema):
    """A document in a few words."""

    title: str
    """The document."""
    text: str
    """How it begins, at most 400 characters of its first paragraph."""
    whole: bool
    """Whether that is the whole first paragraph."""
    documents_back: int
    """How many documents link to it."""


class PathQuery(RequestSchema):
    """From which document to which."""

    start: str = Field(max_length=1000)
    """The title where the way begins."""
    goal: str = Field(max_length=1000)
    """The title where it ends."""


class PathLink(Schema):
    """One step of a way: a link in a document."""

    source: str
    """The document with the link."""
    target: str
    """The document that it leads to."""
    start: int
    """Where the link begins in the source's text."""
    end: int
    """Where the link ends, exclusive."""
    text: str
    """The words of the link."""


class LinkPath(Schema):
    """A shortest way along links from one document to another."""

    titles: list[str]
    """The documents on it, both ends included; empty where no way leads there."""
    links: list[PathLink]
    """The links that are followed, one fewer than the documents."""


class NeighbourhoodQuery(TitleQuery):
    """Around which document, and how far."""

    hops: int = Field(default=1, ge=1, le=2)
    """How many links away a neighbour may be."""
    limit: int = Field(default=40, ge=1, le=150)
    """How many documents at most."""
    also: list[Annotated[str, Field(max_length=1000)]] = Field(default=[], max_length=20)
    """Titles that are to be in it too, however far away; those that lead nowhere are left out."""


class Neighbour(Schema):
    """A document in a neighbourhood."""

    title: str
    """Its title."""
    hops: int | None
    """How many links it is away; 0 is the document itself, null is farther than was looked."""
    documents_back: int
    """How many documents of the whole corpus link to it."""


class NeighbourLink(Schema):
    """A link between two documents of a neighbourhood."""

    source: str
    """The document with the link."""
    target: str
    """The document that it leads to."""


class Neighbourhood(Schema):
    """A document with the documents around it, and the links between them all."""

    documents: list[Neighbour]
    """The nearest first, and of those the ones that most documents link to; `also` at the end."""
    links: list[NeighbourLink]
    """Each pair once for each direction."""
    left_out: int
    """How many more are as near, beyond the limit."""
