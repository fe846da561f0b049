"""The objects of the JSON interface that show documents and what links them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lacuna.places import Place
from lacuna.retrieve.registry import Snippet
from lacuna.serve.schemas import RequestSchema
from lacuna.types import Section, Span


class TitleQuery(RequestSchema):
    """Which document."""

    title: str = Field(max_length=1000)
    """Its title, or a name that leads to it."""


class PictureQuery(TitleQuery):
    """Which picture."""

    number: int = Field(ge=0, le=100_000)
    """Its number among those of the document."""


@dataclass(slots=True)
class LinkSchema:
    """A link in the text of a document."""

    start: int
    """Where its words begin."""
    end: int
    """Where they end, exclusive."""
    target: str
    """Where it leads, as it is written."""
    title: str | None
    """The document that it leads to; null where it leads nowhere."""


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"


@dataclass(slots=True)
class CellSchema:
    """A cell of a table."""

    start: int
    """Where its words begin in the text of the document."""
    end: int
    """Where they end, exclusive."""
    label: Span | None
    """Where the heading of its column stands in the text: each row says it again."""


@dataclass(slots=True)
class RowSchema:
    """A row of a table: one line of the text."""

    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    cells: list[CellSchema]
    """Its cells from left to right; empty where they were not kept apart."""


@dataclass(slots=True)
class PictureSchema:
    """A picture that a document shows; `/picture` gives it, by its number."""

    number: int
    """Its number among those of the document, from 0; those that cannot be shown are left out."""
    start: int
    """Where the words that stand for it begin in the text of the document."""
    end: int
    """Where they end, exclusive; the same place where it has none."""
    name: str
    """The name of its file."""
    width: int
    """How many points it is wide."""
    height: int
    """How many points it is high."""


@dataclass(slots=True)
class BlockSchema:
    """A block of a document: what to show as one thing."""

    kind: BlockKind
    """What it is."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    level: int = 0
    """Of a heading, from 1; of an item, how many lists it stands in; else 0."""
    number: int | None = None
    """Of an item in a numbered list."""
    continues: bool = False
    """Whether it goes on with the item before it, as a further paragraph or code."""
    quoted: bool = False
    """Whether it stands in a quotation."""
    rows: list[RowSchema] = field(default_factory=list)
    """Of a table."""
    pictures: list[PictureSchema] = field(default_factory=list)
    """Those that stand in it, in order; a block may have one and no text."""


class StyleKind(StrEnum):
    """How words in a block stand out."""

    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"


@dataclass(slots=True)
class StyleSchema:
    """Words that stand out; they never reach over the end of a block."""

    kind: StyleKind
    """How."""
    start: int
    """Where they begin in the text of the document."""
    end: int
    """Where they end, exclusive."""


@dataclass(slots=True)
class DocumentSchema:
    """A document. All places are offsets in Unicode code points, half-open."""

    corpus: str
    """The id of the corpus."""
    title: str
    """Its title."""
    text: str
    """All of its text; everything else points into it."""
    blocks: list[BlockSchema]
    """The text in blocks, in order; between two there is only white space."""
    styles: list[StyleSchema]
    """Words that stand out in it, in order."""
    paragraphs: tuple[Span, ...]
    """Its paragraphs, list items and rows of tables: where each begins and ends."""
    sentences: tuple[Span, ...]
    """Its sentences: where each begins and ends."""
    sections: tuple[Section, ...]
    """The whole, then the part under each heading."""
    links: list[LinkSchema]
    """Its links, in order."""
    place: Place | None
    """Where it begins in its file."""


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


@dataclass(slots=True)
class PassageHit:
    """A passage that a search found."""

    title: str
    """The document that it stands in."""
    section: tuple[str, ...]
    """The headings above it, the outermost first."""
    score: float
    """How well it fits; comparable within one search only."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    snippet: Snippet
    """The part of it to show."""
    place: Place | None
    """Where it stands in its file."""


@dataclass(slots=True)
class PassageHits:
    """What a search found."""

    hits: list[PassageHit]
    """The passages, the best first."""


class LinksQuery(TitleQuery):
    """The links of which document."""

    limit: int = Field(default=50, ge=1, le=200)
    """How many documents that link to it are named at most."""


@dataclass(slots=True)
class Backlink:
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


@dataclass(slots=True)
class DocumentLinks:
    """The links of a document, in both directions."""

    title: str
    """The document."""
    out: list[LinkSchema]
    """Its own links, in the order of the text."""
    back: list[Backlink]
    """Links to it, one for each document that has one."""
    back_total: int
    """How many documents link to it."""


@dataclass(slots=True)
class PreviewSchema:
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


@dataclass(slots=True)
class PathLink:
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


@dataclass(slots=True)
class LinkPath:
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


@dataclass(slots=True)
class Neighbour:
    """A document in a neighbourhood."""

    title: str
    """Its title."""
    hops: int | None
    """How many links it is away; 0 is the document itself, null is farther than was looked."""
    documents_back: int
    """How many documents of the whole corpus link to it."""


@dataclass(slots=True)
class NeighbourLink:
    """A link between two documents of a neighbourhood."""

    source: str
    """The document with the link."""
    target: str
    """The document that it leads to."""


@dataclass(slots=True)
class Neighbourhood:
    """A document with the documents around it, and the links between them all."""

    documents: list[Neighbour]
    """The nearest first, and of those the ones that most documents link to; `also` at the end."""
    links: list[NeighbourLink]
    """Each pair once for each direction."""
    left_out: int
    """How many more are as near, beyond the limit."""
