"""What pages can be read from, file by file: folders and archives, and other corpora."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Protocol

from lacuna.corpus.at_place import store_at
from lacuna.corpus.database import pack, unpack
from lacuna.corpus.formats.apart.begin import FileReading
from lacuna.corpus.formats.entries import Entry, SourceFile
from lacuna.corpus.pages.page import LinkKind, Page, WrittenLink
from lacuna.corpus.source_item import Skipped


@dataclass(slots=True)
class BegunFile:
    """A file that was looked at: its state and digest, and what it holds as soon as it is read."""

    state: str = ""
    digest: bytes = b""
    items: Sequence[Page | Skipped] = ()
    unchanged: bool = False
    reading: FileReading | None = None

    def finish(self) -> None:
        """Wait until it is read."""
        if self.reading is not None:
            self.items = self.reading.items()

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        if self.reading is not None:
            self.reading.abandon()


class PageSource(Protocol):
    """Gives its files one after the other; those that changed are then loaded and parsed."""

    @property
    def path(self) -> Path:
        """Where it lies."""
        ...

    def files(self) -> Iterator[SourceFile | Skipped]:
        """All its files."""
        ...

    def load(self, file: SourceFile) -> Entry | Skipped:
        """The content of a file."""
        ...

    def begin(self, entry: Entry) -> FileReading:
        """Begin to read a file."""
        ...


class StoreSource:
    """Another corpus: each of its documents is a file, named by its title."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names: dict[str, list[str]] = defaultdict(list)

    def files(self) -> Iterator[SourceFile | Skipped]:
        """All documents, and what was skipped when they were read."""
        with store_at(self.path) as store:
            for redirect in store.redirects():
                if (title := store.resolve(redirect.title)) is not None:
                    self._names[title].append(redirect.title)
            yield from store.skipped()
            for document in store:
                data = pack(document)
                yield SourceFile(document.title, len(data), "", lambda data=data: BytesIO(data))  # type: ignore[misc]

    def load(self, file: SourceFile) -> Entry | Skipped:
        """A document as the bytes that a store has of it; no limit holds for them."""
        return file.load(file.size)

    def begin(self, entry: Entry) -> FileReading:
        """The document as a page whose links are titles."""
        return _StoredDocument(self._page(entry))

    def _page(self, entry: Entry) -> Page:
        document = unpack(entry.name, entry.data)
        links = tuple(
            WrittenLink(link.start, link.end, link.target, LinkKind.TITLE, link.fragment)
            for link in document.links
        )
        names = tuple(self._names.get(entry.name, ()))
        return Page(entry.name, replace(document, links=()), links, names=names)


class _StoredDocument:
    """A document of another corpus, which was read already."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def items(self) -> Sequence[Page | Skipped]:
        return (self._page,)

    def abandon(self) -> None:
        pass
