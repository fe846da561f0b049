"""Documents: their text, and what each part of it is."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from lacuna.server.schemas.base import PlaceSchema, RequestSchema, Schema
from lacuna.types import Span


class TitleQuery(RequestSchema):
    """Which document."""

    title: str = Field(max_length=1000)
    """Its title, or a name that leads to it."""


class PictureQuery(TitleQuery):
    """Which picture."""

    number: int = Field(ge=0, le=100_000)
    """Its number among those of the document."""


class LinkSchema(Schema):
    """A link in the text of a document."""

    start: int
    """Where its words begin."""
    end: int
    """Where they end, exclusive."""
    target: str
    """Where it leads, as it is written."""
    title: str | None
    """The document that it leads to; null where it leads nowhere."""


class SectionSchema(Schema):
    """The part of a text under one heading, with the parts inside it."""

    path: list[str]
    """The title and the headings, the outermost first."""
    start: int
    """Where it begins, with its heading."""
    end: int
    """Where it ends, exclusive."""


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"


class CellSchema(Schema):
    """A cell of a table."""

    start: int
    """Where its words begin in the text of the document."""
    end: int
    """Where they end, exclusive."""
    label: Span | None
    """Where the heading of its column stands in the text: each row says it again."""


class RowSchema(Schema):
    """A row of a table: one line of the text."""

    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    cells: list[CellSchema]
    """Its cells from left to right; empty where they were not kept apart."""


class PictureSchema(Schema):
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


class BlockSchema(Schema):
    """A block of a document: what to show as one thing."""

    kind: BlockKind
    """What it is."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    level: int
    """Of a heading, from 1; of an item, how many lists it stands in; else 0."""
    number: int | None
    """Of an item in a numbered list."""
    continues: bool
    """Whether it goes on with the item before it, as a further paragraph or code."""
    quoted: bool
    """Whether it stands in a quotation."""
    rows: list[RowSchema]
    """Of a table."""
    pictures: list[PictureSchema]
    """Those that stand in it, in order; a block may have one and no text."""


class StyleKind(StrEnum):
    """How words in a block stand out."""

    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"


class StyleSchema(Schema):
    """Words that stand out; they never reach over the end of a block."""

    kind: StyleKind
    """How."""
    start: int
    """Where they begin in the text of the document."""
    end: int
    """Where they end, exclusive."""


class DocumentSchema(Schema):
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
    paragraphs: list[Span]
    """Its paragraphs, list items and rows of tables: where each begins and ends."""
    sentences: list[Span]
    """Its sentences: where each begins and ends."""
    sections: list[SectionSchema]
    """The whole, then the part under each heading."""
    links: list[LinkSchema]
    """Its links, in order."""
    place: PlaceSchema | None
    """Where it begins in its file."""
