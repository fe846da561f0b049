"""What a document format is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lacuna.corpus.source_item import SourceItem


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """How the files of one format are recognised and read.

    Another package offers one as an entry point of the group ``lacuna.formats``:

    >>> from lacuna.types import Document
    >>> def read_shouts(path: Path) -> Iterator[SourceItem]:
    ...     yield Document(path.stem, path.read_text().upper())
    >>> shouts = DocumentFormat("shouts", read_shouts, suffixes=(".shout",))
    >>> shouts.is_named("Hello.SHOUT")
    True
    """

    name: str
    read: Callable[[Path], Iterator[SourceItem]]
    """Everything in a source, one thing at a time: one file, or a folder or archive of ``pages``
    or ``parts``. What gives no document comes as ``Skipped``; an error ends the reading."""
    suffixes: tuple[str, ...] = ()
    """How the names of its files end, in lower case."""
    begins: Callable[[bytes], bool] | None = None
    """Whether a file that begins with these bytes is in the format; compressed files are unpacked
    first. None where the content does not tell."""
    pages: bool = False
    """Whether each file is a page, and folders and archives may hold many, beside other pages."""
    parts: tuple[str, ...] = ()
    """How the names of files end that together make one source: a folder of mostly such files is
    read whole, as a dump in this format."""
    binary: bool = False
    """Whether its files are something else than text."""

    def is_named(self, name: str) -> bool:
        """Whether a file name is one that the format's files have."""
        return name.lower().endswith(self.suffixes)
