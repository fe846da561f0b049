"""Where something stands, so that an agent can cite it and anybody can look it up."""

from __future__ import annotations

from lacuna.agents.addresses import address_of
from lacuna.agents.agent_tool import ToolResult
from lacuna.pipeline.quotes import quote as quote_of
from lacuna.pipeline.result import Quote
from lacuna.server.shown_places import quote_for_others
from lacuna.types import Document, Span


class CitedSource(ToolResult):
    """A quoted stretch of a document; offsets count Unicode code points, half-open."""

    document: str
    """The document's title."""
    uri: str
    """The document as a resource."""
    section: list[str]
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
            document=seen.document,
            uri=address_of(seen.document),
            section=list(seen.section),
            quote=seen.text,
            start=seen.start,
            end=seen.end,
            place=str(seen.place) if seen.place else "",
            url=seen.place.url if seen.place else "",
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
