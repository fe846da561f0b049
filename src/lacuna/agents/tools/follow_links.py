"""The tool ``follow_links``: what a document links to, and what links to it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lacuna.agents.addresses import address_of
from lacuna.agents.agent_tool import (
    AgentTool,
    DocumentName,
    Skip,
    Told,
    ToolArguments,
    ToolResult,
)
from lacuna.agents.library import Library
from lacuna.agents.linking_sentences import cited_link, link_between
from lacuna.agents.sources import CitedSource


class LinkDirection(StrEnum):
    """Which links are meant."""

    OUT = "out"
    INTO = "in"


class LinkArguments(ToolArguments):
    """Whose links, and which of them."""

    document: DocumentName
    direction: LinkDirection = LinkDirection.OUT
    """out: what it links to; in: the documents that link to it."""
    limit: Annotated[int, Field(ge=1, le=50)] = 15
    """The most links to return."""
    skip: Skip = 0


class DocumentLink(ToolResult):
    """A link, and the sentence that it stands in."""

    document: str | None
    """The title at its other end; null where it leads to no document of the corpus."""
    uri: str | None
    target: str
    """Where it leads, as it is written."""
    source: CitedSource | None
    """The sentence with the link; null where the link stands in no text (a redirect)."""


class LinksOfDocument(ToolResult):
    """Links of a document, each target once, in the order of the text."""

    document: str
    direction: LinkDirection
    links: list[DocumentLink]
    total: int
    next_skip: int | None
    """Give it as skip to get more; null where there are no more."""


def _run(library: Library, wanted: LinkArguments, told: Told) -> LinksOfDocument:
    title = library.title(wanted.document)
    if wanted.direction is LinkDirection.OUT:
        links, total = _out(library, title, wanted)
    else:
        links, total = _into(library, title, wanted, told)
    seen = wanted.skip + len(links)
    return LinksOfDocument(
        document=title,
        direction=wanted.direction,
        links=links,
        total=total,
        next_skip=seen if links and seen < total else None,
    )


def _out(library: Library, title: str, wanted: LinkArguments) -> tuple[list[DocumentLink], int]:
    document = library.store.document(title)
    known = library.store.known({link.target for link in document.links})
    by_end = {known.get(link.target, link.target): link for link in reversed(document.links)}
    first_links = sorted(by_end.values(), key=lambda link: link.start)
    links = [
        DocumentLink(
            document=(end := known.get(link.target)),
            uri=None if end is None else address_of(end),
            target=link.target,
            source=cited_link(document, link, local=library.local),
        )
        for link in first_links[wanted.skip : wanted.skip + wanted.limit]
    ]
    return links, len(first_links)


def _into(
    library: Library, title: str, wanted: LinkArguments, told: Told
) -> tuple[list[DocumentLink], int]:
    titles = library.store.graph().in_links(title)
    links = []
    for other in titles[wanted.skip : wanted.skip + wanted.limit]:
        told("")
        document = library.store.document(other)
        link = link_between(library.store, document, title)
        source = None if link is None else cited_link(document, link, local=library.local)
        target = title if link is None else link.target
        links.append(
            DocumentLink(document=other, uri=address_of(other), target=target, source=source)
        )
    return links, len(titles)


def _text(result: LinksOfDocument) -> str:
    which = "links to" if result.direction is LinkDirection.OUT else "is linked from"
    lines = [f"{result.document} {which} {result.total}:"]
    for number, link in enumerate(result.links, 1):
        lines.append(f"{number}. {link.document or f'{link.target} (no such document)'}")
        if link.source is not None:
            lines.append(f"    {link.source.cited(number)}")
    if result.next_skip is not None:
        lines.append(f"More with skip={result.next_skip}.")
    return "\n".join(lines)


FOLLOW_LINKS = AgentTool(
    name="follow_links",
    title="Follow the links of a document",
    description=(
        "The documents that a document links to (direction `out`) or that link to it (`in`), each "
        "with the sentence in which the link stands. Use it to find what a text takes for granted, "
        "or who refers to it. A link whose document is null leads to none that can be read here."
    ),
    arguments=LinkArguments,
    result=LinksOfDocument,
    run=_run,
    text=_text,
)
