"""How a quote is shown: on one line in a pipe, with its answer lit up on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lacuna.cli.cleaning import safe, safe_same_length
from lacuna.cli.places import linked

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from lacuna.pipeline.result import Quote

MARK = "«", "»"


def place_of(quote: Quote) -> str:
    """Document › section."""
    path = quote.section or (quote.document,)
    named = path if path[0] == quote.document else (quote.document, *path)
    return " › ".join(safe(part) for part in named)


def marked_line(quote: Quote) -> str:
    """Where it stands, and the quote with marks around what the answer was taken from."""
    text = safe_same_length(quote.text)
    for mark in sorted(quote.marks, reverse=True):
        start, end = mark.start - quote.start, mark.end - quote.start
        text = text[:start] + MARK[0] + text[start:end] + MARK[1] + text[end:]
    return f"{place_of(quote)}: {' '.join(text.split())}"


def source_line(quote: Quote) -> str:
    """Its place in its file; "" where that is not known."""
    return "" if quote.place is None else safe(str(quote.place))


def print_quote(console: Console, quote: Quote, *, indent: int, above: int = 0) -> None:
    """The quote and where it stands, below ``above`` empty lines and ``indent`` columns in."""
    from rich.padding import Padding
    from rich.text import Text

    text = Text(safe_same_length(quote.text))
    for mark in quote.marks:
        text.stylize("bold yellow", mark.start - quote.start, mark.end - quote.start)
    console.print(Padding(text, (above, 0, 0, indent)))
    console.print(Padding(_cited(quote), (0, 0, 0, indent)))


def _cited(quote: Quote) -> Text:
    from rich.text import Text

    line = Text(f"— {place_of(quote)}" + (", by a link" if quote.followed else ""), "cyan")
    if quote.place is not None:
        line.append("  ").append_text(linked(quote.place))
    return line
