"""What a document format is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lacuna.corpus.formats.entries import LARGEST_FILE, Entry
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped, SourceItem

ReadSource = Callable[[Path], Iterator[SourceItem]]
ParseFile = Callable[[Entry], Iterator[Page | Skipped]]


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """How the files of one format are recognised and read.

    Either ``parse`` turns one file into pages, and folders and archives may hold many such files
    beside others; or ``read`` goes through a whole source, such as a dump. Another package offers
    one as an entry point of the group ``lacuna.formats``:

    >>> from lacuna.corpus.formats.plain import verbatim_page
    >>> def parse_shouts(entry: Entry) -> Iterator[Page | Skipped]:
    ...     yield verbatim_page(entry.name, "Shouts", entry.data.decode().upper())
    >>> shouts = DocumentFormat("shouts", parse=parse_shouts, suffixes=(".shout",))
    >>> shouts.is_named("Hello.SHOUT")
    True
    """

    name: str
    read: ReadSource | None = None
    """Everything in a source, one thing at a time. What gives no document comes as ``Skipped``; an
    error ends the reading."""
    parse: ParseFile | None = None
    """The pages of one file; what gives no page comes as ``Skipped``. It is given nothing but the
    file's name and bytes, so that a file that has not changed need not be parsed again."""
    suffixes: tuple[str, ...] = ()
    """How the names of its files end, in lower case."""
    begins: Callable[[bytes], bool] | None = None
    """Whether a file that begins with these bytes is in the format; compressed files are unpacked
    first. None where the content does not tell."""
    parts: tuple[str, ...] = ()
    """How the names of files end that together make one source: a folder of mostly such files is
    read whole, as a dump in this format."""
    binary: bool = False
    """Whether its files are something else than text."""
    largest: int = LARGEST_FILE
    """Bytes that a file may have; parsing a larger one would fill the memory."""
    seconds: float = 30.0
    """Of work that any file may take to be read, however small; more is given for its size."""

    @property
    def pages(self) -> bool:
        """Whether each file is a page, or some."""
        return self.parse is not None

    def is_named(self, name: str) -> bool:
        """Whether a file name is one that the format's files have."""
        return name.lower().endswith(self.suffixes)
