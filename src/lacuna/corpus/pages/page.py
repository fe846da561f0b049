"""A page: one document as its file tells it, before the other pages of its source are known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lacuna.types import Document


class LinkKind(StrEnum):
    """How a link says where it leads."""

    PATH = "path"
    """A relative path or an address: ``../guide/setup.md#tools``, ``https://…``."""
    NAME = "name"
    """A title, an alias, a file name with or without its folder: ``[[Setup]]``."""
    LABEL = "label"
    """A label that some page of the source defines: Sphinx's ``:ref:``, AsciiDoc's ``<<id>>``."""
    TITLE = "title"
    """The title of a page exactly as it is, of a source whose links are resolved already."""


@dataclass(frozen=True, slots=True)
class WrittenLink:
    """A link as it is written; ``text[start:end]`` of the page is its anchor."""

    start: int
    end: int
    target: str
    kind: LinkKind = LinkKind.PATH
    fragment: str = ""
    """Only where it does not stand in the target."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one file, or one part of it, says.

    ``document`` has the title that the page gives itself (the file's name where it gives none), its
    text and its origin, and no links yet. ``part`` tells several pages of one file apart, such as
    the chapters of a book. ``names`` are other names that it may be linked by; ``labels`` are names
    of places in it: a label, and the fragment that stands for it in an address.
    """

    file: str
    document: Document
    links: tuple[WrittenLink, ...] = ()
    part: str = ""
    names: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""
    """Where a page sends its reader at once; such a page is a name for another, and no document."""

    @property
    def path(self) -> str:
        """What no other page of the source has.

        >>> Page("book.epub", Document("Sails", "…"), part="ch3.xhtml").path
        'book.epub#ch3.xhtml'
        """
        return f"{self.file}#{self.part}" if self.part else self.file
