"""Parse one file, whatever it does to its parser."""

from __future__ import annotations

from collections.abc import Iterator

from lacuna.corpus.formats.document_format import ParseFile
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped
from lacuna.errors import LacunaError

LONGEST_REASON = 300


def parsed_items(parse: ParseFile, entry: Entry) -> Iterator[Page | Skipped]:
    """The pages of a file; where its parser fails, why it was skipped."""
    try:
        yield from parse(entry)
    except LacunaError as error:
        yield Skipped(entry.name, str(error).rstrip("."))
    except MemoryError:
        yield Skipped(entry.name, "reading it needs too much memory; split it")
    except Exception as error:  # one bad file must not keep the others from being read
        told = f"reading it failed ({type(error).__name__}: {error})"
        yield Skipped(entry.name, told[:LONGEST_REASON])
