"""The tool ``read_document``: a document's text, a page at a time."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lacuna.agents.agent_tool import AgentTool, DocumentName, Told, ToolArguments, ToolResult
from lacuna.agents.document_pages import page_span
from lacuna.agents.library import Library
from lacuna.agents.sources import CitedSource
from lacuna.types import Document

MOST_HEADINGS = 60
MOST_LINKS = 30


class ReadArguments(ToolArguments):
    """Which document, and which part of it."""

    document: DocumentName
    start: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    """The offset to read from: 0, next_start of the page before, or where a heading begins."""
    max_chars: Annotated[int, Field(ge=200, le=20_000)] = 4_000
    """The most characters to return."""


class DocumentHeading(ToolResult):
    """A part of a document under a heading."""

    path: list[str]
    """The heading, after those above it."""
    start: int
    end: int


class DocumentPage(ToolResult):
    """A part of a document's text."""

    source: CitedSource
    """The text is ``source.quote``; all offsets count from the beginning of the document."""
    characters: int
    """How long the whole document is."""
    next_start: int | None
    """Give it as start to read on; null at the end."""
    outline: list[DocumentHeading]
    """The headings of the whole document; only with the first page."""
    links: list[str]
    """Titles of documents that this part links to."""


def _run(library: Library, wanted: ReadArguments, _: Told) -> DocumentPage:
    document = library.document(wanted.document)
    span = page_span(document, wanted.start, wanted.max_chars)
    targets = [one.target for one in document.links if span.start <= one.start < span.end]
    known = library.store.known(targets)
    titles = dict.fromkeys(known[target] for target in targets if target in known)
    return DocumentPage(
        source=CitedSource.at(document, span, local=library.local),
        characters=len(document.text),
        next_start=span.end if span.end < len(document.text) else None,
        outline=_outline(document) if span.start == 0 else [],
        links=list(titles)[:MOST_LINKS],
    )


def _outline(document: Document) -> list[DocumentHeading]:
    """The headings, of a document with very many the upper levels only."""
    levels = sorted({len(section.path) for section in document.sections})
    for deepest in reversed(levels):
        kept = [one for one in document.sections if len(one.path) <= deepest]
        if len(kept) <= MOST_HEADINGS or deepest == levels[0]:
            return [
                DocumentHeading(path=list(one.path), start=one.start, end=one.end)
                for one in kept[:MOST_HEADINGS]
            ]
    return []


def _text(result: DocumentPage) -> str:
    lines = [result.source.line(), "", result.source.quote.strip("\n"), ""]
    if result.next_start is not None:
        lines.append(
            f"It goes on ({result.characters} characters in all): start={result.next_start}."
        )
    if result.outline and result.next_start is not None:
        named = (f"{' › '.join(one.path)} ({one.start})" for one in result.outline)
        lines.append(f"Headings, and where they begin: {'; '.join(named)}")
    if result.links:
        lines.append(f"Links to: {'; '.join(result.links)}")
    return "\n".join(lines)


READ_DOCUMENT = AgentTool(
    name="read_document",
    title="Read a document",
    description=(
        "The text of a document, a page of at most max_chars characters at a time, cut between "
        "paragraphs or sentences. The first page of a long one comes with its headings and where "
        "they begin, so that you can read on where it matters instead of reading it all."
    ),
    arguments=ReadArguments,
    result=DocumentPage,
    run=_run,
    text=_text,
)
