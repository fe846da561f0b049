"""The tool ``search``: passages that have the words."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lacuna.agents.agent_tool import (
    LONGEST_QUERY,
    AgentTool,
    DocumentName,
    Told,
    ToolArguments,
    ToolResult,
)
from lacuna.agents.library import Library
from lacuna.agents.sources import CitedSource
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import split_phrases
from lacuna.types import Span

DEEPEST = 200
"""Hits that can be paged through; who looks further should search for other words."""
LONGEST_PASSAGE = 1_000


class SearchArguments(ToolArguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
    """Words to look for; "words in quotes" must stand together."""
    document: DocumentName | None = None
    """Search in this document only: its title or lacuna:// address."""
    limit: Annotated[int, Field(ge=1, le=20)] = 5
    """The most passages to return."""
    skip: Annotated[int, Field(ge=0, le=DEEPEST)] = 0
    """How many to leave out from the start: next_skip of the page before."""
    max_chars: Annotated[int, Field(ge=200, le=20_000)] = 4_000
    """The most characters of quoted text in all."""


class MatchingPassage(CitedSource):
    """A passage, and how well it fits."""

    score: float
    """The higher the better; comparable within one search only."""


class MatchingPassages(ToolResult):
    """The passages that fit best, the best first."""

    query: str
    passages: list[MatchingPassage]
    next_skip: int | None
    """Give it as skip to get more; null where there are no more."""


def _run(library: Library, wanted: SearchArguments, told: Told) -> MatchingPassages:
    words, phrases = split_phrases(wanted.query)
    within = [library.title(wanted.document)] if wanted.document else []
    most = wanted.skip + wanted.limit
    hits = library.retriever.search(words, most + 1, phrases=phrases, documents=within)
    if not words.strip() and not phrases:
        raise LacunaError("The query has no words. Give the words to look for.")
    found: list[MatchingPassage] = []
    left = wanted.max_chars
    for hit in hits[wanted.skip : most]:
        told("")
        end = min(hit.end, hit.start + LONGEST_PASSAGE)
        if found and end - hit.start > left:
            break
        end = min(end, hit.start + left)
        document = library.store.document(hit.title)
        source = CitedSource.at(document, Span(hit.start, end), local=library.local)
        found.append(MatchingPassage(**source.model_dump(), score=round(hit.score, 3)))
        left -= end - hit.start
    seen = wanted.skip + len(found)
    more = found and len(hits) > seen and seen <= DEEPEST
    return MatchingPassages(query=wanted.query, passages=found, next_skip=seen if more else None)


def _text(result: MatchingPassages) -> str:
    if not result.passages:
        return f"Nothing matches {result.query!r}. Try other words, or list_documents."
    lines = [one.cited(number) for number, one in enumerate(result.passages, 1)]
    if result.next_skip is not None:
        lines.append(f"More with skip={result.next_skip}.")
    return "\n".join(lines)


SEARCH = AgentTool(
    name="search",
    title="Search the documents",
    description=(
        "Find passages by their words (BM25 full-text search), the best first, each quoted with "
        "its document, file and character offsets. Use it to see what the documents say on a "
        "subject, or to find the document to read; use `ask` for a question that has an answer. "
        "It matches words, not meaning: try synonyms where it finds nothing."
    ),
    arguments=SearchArguments,
    result=MatchingPassages,
    run=_run,
    text=_text,
)
