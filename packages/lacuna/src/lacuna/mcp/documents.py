"""Documents as agents read them: addresses, pages, resources, citations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from inspect import signature
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote, unquote

import mcp_types as types
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from lacuna.corpus.store import Store
from lacuna.corpus.titles import is_valid, search_titles
from lacuna.errors import LacunaError, shown
from lacuna.pipeline.query import Answerer
from lacuna.pipeline.result import Quote
from lacuna.pipeline.stages import quote as quote_of
from lacuna.pipeline.stages import sentence_around
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.serve.corpora import quote_for_others
from lacuna.types import Document, Link, Span

TEMPLATE = "lacuna://documents/{title}{?start,max_chars}"
ADDRESS = re.compile(r"lacuna://documents/([^/?#]+)(?:\?([^#]*))?")
ONLY_DOTS = re.compile(r"\.+")


@dataclass(frozen=True, slots=True)
class DocumentAddress:
    """A document, and the part of it that is meant."""

    title: str
    start: int = 0
    max_chars: int | None = None


def address_of(title: str, start: int = 0) -> str:
    """The address of a document, or of the rest of it from an offset on.

    >>> address_of("Cranes / lifting (notes)")
    'lacuna://documents/Cranes%20%2F%20lifting%20%28notes%29'
    """
    name = quote(title, safe="")
    if ONLY_DOTS.fullmatch(name):  # a client may take ".." for the folder above
        name = name.replace(".", "%2E")
    return f"lacuna://documents/{name}" + (f"?start={start}" if start else "")


def parse_address(address: str) -> DocumentAddress:
    """What an address means; refused if it is none of ours.

    >>> parse_address("lacuna://documents/Ada%20Quill?start=40")
    DocumentAddress(title='Ada Quill', start=40, max_chars=None)
    """
    parts = ADDRESS.fullmatch(address)
    if parts is None:
        raise LacunaError(f"{shown(address)} is no address of a document: those are {TEMPLATE}.")
    try:
        values = parse_qs(parts[2] or "", max_num_fields=8, strict_parsing=bool(parts[2]))
        numbers = {name: int(given[-1]) for name, given in values.items()}
        title = unquote(parts[1], errors="strict")
        return DocumentAddress(title, **numbers)
    except (TypeError, ValueError):
        raise LacunaError(
            f"{shown(address)} cannot be read: an address is {TEMPLATE}, with numbers."
        ) from None


def title_in(name: str) -> str | None:
    """The title in an address; None for what is no address."""
    return parse_address(name).title if ADDRESS.fullmatch(name) else None


def page_span(document: Document, start: int, most: int) -> Span:
    """At most so many characters from an offset on, to the end of a paragraph if there is one."""
    size = len(document.text)
    if start and start >= size:
        raise LacunaError(
            f"{document.title!r} has {size:,} characters, so it cannot be read from {start:,} on. "
            "Give a smaller start, or 0."
        )
    latest = start + most
    if latest >= size:
        return Span(start, size)
    for ends in (document.paragraphs, document.sentences):
        if (end := _last_end(ends, start + most // 2, latest)) is not None:
            return Span(start, end)
    space = document.text.rfind(" ", start + most // 2, latest)
    return Span(start, space + 1 if space >= 0 else latest)


def _last_end(spans: Iterable[Span], first: int, last: int) -> int | None:
    """The last of the ends that lie between the two; a page should be more than half full."""
    return max((span.end for span in spans if first <= span.end <= last), default=None)


NEAREST = 5
"""Titles that are offered for one that is not there."""


@dataclass(frozen=True, slots=True)
class Library:
    """An open corpus; several threads may use it."""

    answerer: Answerer
    local: bool
    """Whether whoever asks sits where its files are, and may be told where."""
    retriever: Bm25Retriever = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "retriever", Bm25Retriever(self.store))

    @property
    def store(self) -> Store:
        """The documents."""
        return self.answerer.store

    def title(self, name: str) -> str:
        """The title that a name or an address stands for; the error tells the nearest ones."""
        wanted = title_in(name) or name
        title = self.store.resolve(wanted)
        if title is None:
            raise self._no_such(wanted)
        return title

    def document(self, name: str) -> Document:
        """The document of that name or address."""
        return self.store.document(self.title(name))

    def _no_such(self, wanted: str) -> LacunaError:
        near = search_titles(self.store, wanted, NEAREST) if is_valid(wanted) else []
        if not near:
            hits = self.retriever.search(wanted, NEAREST)
            near = list(dict.fromkeys(hit.title for hit in hits))
        listed = ", ".join(map(repr, near))
        hint = f"The nearest titles are: {listed}." if near else "No title comes near to it."
        return LacunaError(
            f"There is no document {shown(wanted)}. {hint} list_documents and search find others."
        )


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


Told = Callable[[str], None]
"""Called by the work with what it has done, "" for nothing that is worth a word; it raises where
nobody waits for the result any more."""
LONGEST_TITLE = 1_000
LONGEST_QUERY = 500


class ToolReply(NamedTuple):
    """A tool's result: as a model reads it best, and for programs as it becomes JSON."""

    text: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool that an agent can call; it changes nothing."""

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    function: Callable[..., ToolReply]
    answers: bool = False
    """Whether it takes long: a question, in contrast to a lookup."""

    def parse(self, given: dict[str, Any] | None) -> BaseModel:
        """The arguments, checked; the error names each that is wrong, and what it must be."""
        try:
            return self.arguments.model_validate(given or {})
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
                for one in error.errors(include_url=False, include_input=False)[:5]
            )
            known = ", ".join(self.arguments.model_fields)
            raise LacunaError(
                f"{self.name} cannot be called so. {problems}. Its arguments are: {known}."
            ) from error

    def run(self, library: Library, arguments: BaseModel, told: Told) -> ToolReply:
        """The result, with arguments that were checked."""
        return self.function(library, told, **dict(arguments))


def agent_tool(
    title: str, *, answers: bool = False
) -> Callable[[Callable[..., ToolReply]], AgentTool]:
    """Make a tool of a function: it takes what the function takes behind the library and ``told``,
    and its docstring describes it to the model."""

    def made(function: Callable[..., ToolReply]) -> AgentTool:
        _, _, *taken = signature(function, eval_str=True).parameters.values()
        fields: dict[str, Any] = {
            one.name: (one.annotation, ... if one.default is one.empty else one.default)
            for one in taken
        }
        forbid = ConfigDict(extra="forbid")
        arguments = create_model(function.__name__, __config__=forbid, **fields)
        about = " ".join((function.__doc__ or "").split())
        return AgentTool(function.__name__, title, about, arguments, function, answers)

    return made


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A quoted stretch of a document; offsets count Unicode code points, half-open."""

    document: str
    """The document's title."""
    uri: str
    """The document as a resource."""
    section: tuple[str, ...]
    """The headings that it stands under, the outermost first."""
    quote: str
    """The sentence, word for word."""
    start: int
    """Where the quote begins in the document's text."""
    end: int
    place: str
    """The file with its line, page or row, as far as it is known."""
    url: str
    """What opens the place; empty where there is no address."""

    @classmethod
    def of(cls, quoted: Quote, *, local: bool) -> CitedSource:
        """A quote; ``local`` tells addresses on this machine, too."""
        seen = quoted if local else quote_for_others(quoted)
        return cls(
            seen.document,
            address_of(seen.document),
            seen.section,
            seen.text,
            seen.start,
            seen.end,
            str(seen.place) if seen.place else "",
            seen.place.url if seen.place else "",
        )

    @classmethod
    def at(cls, document: Document, span: Span, *, local: bool) -> CitedSource:
        """A stretch of a document."""
        return cls.of(quote_of(document, span), local=local)

    def line(self) -> str:
        """Who says it, and where."""
        where = " › ".join([self.document, *(one for one in self.section if one != self.document)])
        place = f", {self.place}" if self.place else ""
        return f"{where}{place}, characters {self.start}–{self.end}, {self.uri}"

    def cited(self, number: int) -> str:
        """The quote and its source, numbered."""
        return f"[{number}] “{' '.join(self.quote.split())}”\n    {self.line()}"


def cited_link(document: Document, link: Link, *, local: bool) -> CitedSource:
    """The sentence that a link stands in."""
    return CitedSource.at(document, sentence_around(document, link.start, link.end), local=local)


def link_between(store: Store, document: Document, title: str) -> Link | None:
    """The first link of a document that leads to the one of that title."""
    known = store.known({link.target for link in document.links})
    return next((link for link in document.links if known.get(link.target) == title), None)
