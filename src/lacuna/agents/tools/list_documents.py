"""The tool ``list_documents``: what there is to read."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from pydantic import Field

from lacuna.agents.agent_tool import (
    LONGEST_QUERY,
    AgentTool,
    Skip,
    Told,
    ToolArguments,
    ToolResult,
)
from lacuna.agents.library import Library
from lacuna.agents.sources import CitedSource
from lacuna.corpus.titles import search_titles
from lacuna.types import Span

BEGINNING = 120
MATCHES = 1_000
"""Titles that are looked through for what was typed."""


class ListArguments(ToolArguments):
    """Which documents."""

    title_contains: Annotated[str, Field(max_length=LONGEST_QUERY)] = ""
    """Only titles that hold these words, or else come near to them; without it, all."""
    limit: Annotated[int, Field(ge=1, le=100)] = 30
    """The most documents to return."""
    skip: Skip = 0


class ListedDocument(ToolResult):
    """A document, and how it begins."""

    title: str
    characters: int
    begins: CitedSource


class ListedDocuments(ToolResult):
    """Documents, in the order in which they were read."""

    documents: list[ListedDocument]
    documents_in_all: int
    """How many the corpus has."""
    unread_files: int
    """Files of the corpus that could not be read."""
    next_skip: int | None
    """Give it as skip to get more; null where there are no more."""


def _run(library: Library, wanted: ListArguments, told: Told) -> ListedDocuments:
    store = library.store
    end = wanted.skip + wanted.limit
    if wanted.title_contains.strip():
        titles = search_titles(store, wanted.title_contains, min(end + 1, MATCHES))[wanted.skip :]
    else:
        titles = list(islice(store.titles(), wanted.skip, end + 1))
    listed = []
    for title in titles[: wanted.limit]:
        told("")
        document = store.document(title)
        beginning = Span(0, min(BEGINNING, len(document.text)))
        listed.append(
            ListedDocument(
                title=title,
                characters=len(document.text),
                begins=CitedSource.at(document, beginning, local=library.local),
            )
        )
    return ListedDocuments(
        documents=listed,
        documents_in_all=len(store),
        unread_files=store.skipped_count(),
        next_skip=end if len(titles) > wanted.limit else None,
    )


def _text(result: ListedDocuments) -> str:
    unread = f", {result.unread_files} files could not be read" if result.unread_files else ""
    lines = [f"{result.documents_in_all} documents in all{unread}."]
    for one in result.documents:
        place = f", {one.begins.place}" if one.begins.place else ""
        begins = " ".join(one.begins.quote.split())
        lines.append(f"- {one.title} ({one.characters} characters{place}): {begins} …")
    if result.next_skip is not None:
        lines.append(f"More with skip={result.next_skip}.")
    return "\n".join(lines)


LIST_DOCUMENTS = AgentTool(
    name="list_documents",
    title="List the documents",
    description=(
        "The documents that can be read, with their length and how they begin; of all, or of those "
        "whose titles hold some words. Titles are what the other tools take as `document`."
    ),
    arguments=ListArguments,
    result=ListedDocuments,
    run=_run,
    text=_text,
)
