"""The tool ``find_path``: how two documents hang together."""

from __future__ import annotations

from itertools import zip_longest

from lacuna.agents.addresses import address_of
from lacuna.agents.agent_tool import AgentTool, DocumentName, Told, ToolArguments, ToolResult
from lacuna.agents.library import Library
from lacuna.agents.linking_sentences import cited_link, link_between
from lacuna.agents.sources import CitedSource


class PathArguments(ToolArguments):
    """Both ends."""

    from_document: DocumentName
    to_document: DocumentName


class PathStop(ToolResult):
    """A document on the way."""

    document: str
    uri: str
    link: CitedSource | None
    """The sentence with the link to the next one; null at the end."""


class PathOfLinks(ToolResult):
    """A shortest way along links."""

    found: bool
    stops: list[PathStop]
    """Both ends and all between them; empty where no links lead there."""
    backwards: bool
    """The links lead from the goal to the start only, and the stops stand in that order."""


def _run(library: Library, wanted: PathArguments, told: Told) -> PathOfLinks:
    start, goal = library.title(wanted.from_document), library.title(wanted.to_document)
    graph = library.store.graph()
    titles = graph.path(start, goal)
    backwards = titles is None
    if titles is None:
        told("No links lead there; looking for the way back.")
        titles = graph.path(goal, start) or []
    stops = []
    for title, following in zip_longest(titles, titles[1:]):
        document = library.store.document(title)
        link = link_between(library.store, document, following) if following else None
        stops.append(
            PathStop(
                document=title,
                uri=address_of(title),
                link=None if link is None else cited_link(document, link, local=library.local),
            )
        )
    return PathOfLinks(found=bool(stops), stops=stops, backwards=backwards and bool(stops))


def _text(result: PathOfLinks) -> str:
    if not result.found:
        return "No links lead from one to the other, in either direction."
    lines = ["There are links in the other direction only:"] if result.backwards else []
    lines.append(" → ".join(stop.document for stop in result.stops))
    links = [stop.link for stop in result.stops if stop.link is not None]
    return "\n".join([*lines, *(link.cited(number) for number, link in enumerate(links, 1))])


FIND_PATH = AgentTool(
    name="find_path",
    title="Find how two documents are linked",
    description=(
        "A shortest way from one document to another along links, with the sentence in which each "
        "link stands. Use it to learn how two subjects hang together. Where no links lead there, "
        "the way back is looked for."
    ),
    arguments=PathArguments,
    result=PathOfLinks,
    run=_run,
    text=_text,
)
