"""Documents as resources of the protocol."""

from __future__ import annotations

from itertools import islice

import mcp_types as types

from lacuna.agents.addresses import TEMPLATE, address_of, parse_address
from lacuna.agents.document_pages import page_span
from lacuna.agents.library import Library
from lacuna.errors import LacunaError, shown

PAGE = 100
"""Documents of one page of the list."""
FEWEST, MOST = 200, 50_000
"""Characters that may be read at once."""
READ = 20_000
"""Characters that are read where nobody says how many."""
PLAIN = "text/plain"


def resource_templates() -> types.ListResourceTemplatesResult:
    """How the address of any document, or of a part of it, is made."""
    template = types.ResourceTemplate(
        uri_template=TEMPLATE,
        name="document",
        title="A document by its title",
        description=(
            "The text of a document; `start` is the offset to read from, `max_chars` how much "
            f"({FEWEST} to {MOST}, {READ} if not given)."
        ),
        mime_type=PLAIN,
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


def list_resources(library: Library, cursor: str | None) -> types.ListResourcesResult:
    """A page of the documents, in the order in which they were read."""
    start = _offset(cursor)
    titles = list(islice(library.store.titles(), start, start + PAGE + 1))
    return types.ListResourcesResult(
        resources=[_resource(library, title) for title in titles[:PAGE]],
        next_cursor=str(start + PAGE) if len(titles) > PAGE else None,
    )


def read_resource(library: Library, address: str) -> types.ReadResourceResult:
    """The text of a document, or of a part; the last line of a part tells where it goes on."""
    wanted = parse_address(address)
    most = READ if wanted.max_chars is None else wanted.max_chars
    if not FEWEST <= most <= MOST or wanted.start < 0:
        raise LacunaError(
            f"max_chars must be from {FEWEST} to {MOST}, and start 0 or more, in {shown(address)}."
        )
    document = library.document(wanted.title)
    span = page_span(document, wanted.start, most)
    text = document.text[span.start : span.end]
    if span.end < len(document.text):
        rest = address_of(document.title, span.end)
        text += f"\n\n[It goes on, {len(document.text):,} characters in all: {rest}]"
    contents = types.TextResourceContents(uri=address, mime_type=PLAIN, text=text)
    return types.ReadResourceResult(contents=[contents])


def _resource(library: Library, title: str) -> types.Resource:
    document = library.store.document(title)
    place = document.origin.at(0) if document.origin else None
    return types.Resource(
        uri=address_of(title),
        name=title,
        title=title,
        description=f"{len(document.text):,} characters" + (f", from {place}" if place else ""),
        mime_type=PLAIN,
        size=len(document.text.encode("utf-8", "replace")),
    )


def _offset(cursor: str | None) -> int:
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 12):
        raise LacunaError(f"{shown(cursor)} is no cursor of this list. Begin without one.")
    return int(cursor)
